/**
 * Real kubectl against the sandbox and, if its binaries are available, against a real control plane: the same commands,
 * the same answers. SSVIRT_KUBECTL lists the kubectls (paths, separated by colons); SSVIRT_KUBECTL_KUBECONFIG names one
 * server to use instead of the two. SSVIRT_KUBECTL_ONLY is a pattern for names of scenarios.
 */
// needs: kubectl
// only in make test-all: the suites of documents and orders use a real kubectl on both servers
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { triesAll } from '../chosen.ts';
import { throwAwayFolder } from '../cluster/cluster.ts';
import type { ThrowAwayFolder } from '../cluster/cluster.ts';
import { runScenario } from './kubectl.ts';
import { kubectls, versionOf } from './kubectls.ts';
import { run, scenario as script } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { servers } from './servers.ts';
import type { RunningServer, Server } from './servers.ts';

const only = new RegExp(process.env['SSVIRT_KUBECTL_ONLY'] ?? '');

/** Lets the suite run again against a server that has seen it before. */
const thisRun = randomBytes(2).toString('hex');

const enter = script('enter a namespace of its own', [
  run('create namespace {ns}', 'namespace/{ns} created\n'),
  run('config set-context --current --namespace={ns}', /modified/),
]);

/**
 * A real server runs only with the kubectl of its own version, except with SSVIRT_TEST_ALL=1: whether it answers all
 * versions alike is not ours to test.
 */
function kubectlsFor({ isReal }: Server): readonly string[] {
  const all = kubectls();
  return isReal === true && !triesAll ? all.slice(0, 1) : all;
}

for (const server of await servers('test/kubectl/kubectl.suite.ts')) {
  describe(`kubectl against ${server.name}`, { skip: server.skip ?? false }, () => {
    let started: RunningServer;
    let folder: ThrowAwayFolder;
    before(async () => {
      folder = await throwAwayFolder('ssvirt-kubectl-');
      started = await server.start();
    });
    after(async () => {
      await started.stop();
      await folder.remove();
    });
    for (const [k, kubectl] of kubectlsFor(server).entries()) {
      describe(`with kubectl ${versionOf(kubectl)}`, { concurrency: 4 }, () => {
        for (const [s, scenario] of scenarios.entries()) {
          if (!only.test(scenario.name)) continue;
          test(scenario.name, async () => {
            const namespace = `k${k}-s${s}-${thisRun}`;
            const own = join(folder.path, namespace);
            await mkdir(own);
            const target = { kubectl, kubeconfig: join(own, 'kubeconfig'), folder: own, namespace };
            await copyFile(started.kubeconfig, target.kubeconfig);
            await runScenario(enter, target);
            await runScenario(scenario, target);
          });
        }
      });
    }
  });
}
