/**
 * The CRDs that KubeVirt and CDI publish, installed in the sandbox and, if its binaries are available, in a real
 * control plane: what kubectl explains, accepts and refuses with them is the same on both, word for word. The CRDs are
 * not part of this repository: SSVIRT_TEST_UPSTREAM_CRDS names their folder, by default one next to the repository.
 */
// needs: kubectl
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { throwAwayFolder } from '../cluster/cluster.ts';
import type { ThrowAwayFolder } from '../cluster/cluster.ts';
import { notRun } from '../not-run.ts';
import { until } from '../runtime/until.ts';
import { printOutcome, startKubectl, words } from './command.ts';
import type { Outcome, Target } from './command.ts';
import { kubectls, versionOf } from './kubectls.ts';
import { servers } from './servers.ts';
import type { RunningServer } from './servers.ts';
import { questions } from './upstream-questions.ts';
import type { Question } from './upstream-questions.ts';

const suite = 'test/kubectl/upstream-crds.suite.ts';
const folder = resolve(
  process.env['SSVIRT_TEST_UPSTREAM_CRDS'] ?? join(import.meta.dirname, '../../../shared/upstream-crds'),
);
const skip = existsSync(folder) ? false : notRun(suite, `needs the CRDs of KubeVirt and CDI in ${folder}`);

/** For a host that is busy with other tests. */
const patient = { deadlineMs: 180_000, everyMs: 250 };
/** The kinds to explain: they enter the OpenAPI document group by group. */
const explained = [['vm'], ['vm', '--api-version=kubevirt.io/v1alpha3'], ['dv']];

interface Installed {
  readonly name: string;
  readonly server: RunningServer;
}

describe('the CRDs of KubeVirt and CDI', { skip }, () => {
  let scratch: ThrowAwayFolder;
  const installed: Installed[] = [];
  before(async () => {
    scratch = await throwAwayFolder('ssvirt-upstream-');
    const present = (await servers(suite)).filter((server) => server.skip === undefined);
    for (const server of present) installed.push({ name: server.name, server: await server.start() });
    await Promise.all(installed.map((one) => install(one, scratch.path)));
  });
  after(async () => {
    await Promise.all(installed.map(({ server }) => server.stop()));
    await scratch.remove();
  });
  for (const [k, kubectl] of (skip === false ? kubectls() : []).entries()) {
    describe(`with kubectl ${versionOf(kubectl)}`, () => {
      let targets: Target[];
      before(async () => {
        targets = await Promise.all(installed.map((one) => enter(one, kubectl, `k${k}`, scratch.path)));
      });
      for (const question of questions) {
        test(question.name, async () => {
          const outcomes = await Promise.all(targets.map((target) => answer(question, target)));
          for (const outcome of outcomes) meets(question, outcome);
          const [first, ...others] = outcomes.map(comparable);
          for (const other of others) assert.deepEqual(first, other);
        });
      }
    });
  }
});

async function kubectlOf({ name, server }: Installed, kubectl: string, scratch: string): Promise<Target> {
  const own = join(scratch, name.replaceAll(/\W/g, '-'), kubectl.replaceAll(/\W/g, '-'));
  await mkdir(own, { recursive: true });
  const kubeconfig = join(own, 'kubeconfig');
  if (!existsSync(kubeconfig)) await copyFile(server.kubeconfig, kubeconfig);
  return { kubectl, kubeconfig, folder: own };
}

/** `create`, since the definition of the VM is larger than the annotation that `apply` keeps. */
async function install(one: Installed, scratch: string): Promise<void> {
  const target = await kubectlOf(one, kubectls()[0] as string, scratch);
  await must(target, 'create', '-f', folder);
  // The server does each of these asynchronously after the one before. `wait` itself gives up at once if conditions are
  // still null.
  await eventually(target, 'wait', '--for=condition=Established', '--timeout=60s', 'crd', '--all');
  const names = (await must(target, 'get', 'crd', '-o', 'jsonpath={.items[*].metadata.name}')).split(' ');
  await until(
    'all kinds are listed',
    async () => {
      const listed = new Set((await must(target, 'api-resources', '-o', 'name')).split('\n'));
      return names.every((name) => listed.has(name));
    },
    patient,
  );
  for (const what of explained) await eventually(target, 'explain', ...what);
}

async function eventually(target: Target, ...args: string[]): Promise<void> {
  await until(`kubectl ${args.join(' ')} succeeds`, async () => (await must(target, ...args), true), patient);
}

async function enter(one: Installed, kubectl: string, namespace: string, scratch: string): Promise<Target> {
  const target = await kubectlOf(one, kubectl, scratch);
  await must(target, 'create', 'namespace', namespace);
  await must(target, 'config', 'set-context', '--current', `--namespace=${namespace}`);
  return target;
}

async function must(target: Target, ...args: string[]): Promise<string> {
  const outcome = await startKubectl({ args }, target).done;
  assert.equal(outcome.code, 0, `kubectl ${args.join(' ')}\n${printOutcome(outcome)}`);
  return outcome.out;
}

function answer({ args, input }: Question, target: Target): Promise<Outcome> {
  return startKubectl({ args: words(args), ...(input === undefined ? {} : { input: JSON.stringify(input) }) }, target)
    .done;
}

function meets({ code, says }: Question, outcome: Outcome): void {
  assert.equal(outcome.code, code, printOutcome(outcome));
  const text = outcome.code === 0 ? outcome.out : outcome.err;
  for (const part of says)
    assert.ok(text.includes(part), `${JSON.stringify(part)} is not in\n${printOutcome(outcome)}`);
}

/** Without ages and values of a single object; the server lists the mistakes in an object in any order. */
function comparable({ code, out, err }: Outcome): Outcome {
  const plain = (text: string): string =>
    text
      .replaceAll(/\b(?:\d+m)?\d+[ms]\b */g, 'AGE ')
      // The header is as wide as they are.
      .replaceAll(/\bAGE +/g, 'AGE ')
      .replaceAll(/(uid|resourceVersion|time|creationTimestamp)\\":\\"[^\\]*/g, '$1');
  return { code, out: plain(out), err: plain(err).split('\n').sort().join('\n') };
}
