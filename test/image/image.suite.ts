/**
 * What the image's last stage adds to its base, assembled without a container engine: every process of deploy/manifests
 * starts from it with its own command and settings, as a non-root user and on a read-only root. It needs root, and
 * Linux; run by .ci/run.
 */
// needs: unshare, setpriv, mount
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { dataOf, objectsIn } from '../chart/helm.ts';
import { workloads, type Container } from '../chart/pods.ts';
import { notRun } from '../not-run.ts';
import {
  anyPorts,
  ask,
  processNames,
  startServices,
  type ProcessName,
  type Services,
} from '../processes/all-processes.ts';
import { until } from '../runtime/until.ts';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { assemble, mountedFiles, runInRoot, whyNot, type InRoot, type Place } from './pod-root.ts';

const manifests = resolve(import.meta.dirname, '../../deploy/manifests');
const objects = readdirSync(manifests).flatMap((file) => objectsIn(readFileSync(join(manifests, file), 'utf8')));
const accountFolder = 'var/run/secrets/kubernetes.io/serviceaccount';

const folder: ThrowAwayFolder = await throwAwayFolder('ssvirt-image-');
const reason = whyNot(folder.path);
const skip = reason === undefined ? false : notRun('test/image/image.suite.ts', reason);

function containerOf(name: ProcessName): Container {
  const found = workloads(objects).find(({ metadata }) => metadata.name === `ssvirt-${name}`);
  assert.ok(found !== undefined, name);
  return found.spec.template.spec.containers[0];
}

after(() => folder.remove());

describe('the image', { skip }, () => {
  let services: Services;
  let place: Place;
  const running: InRoot[] = [];

  before(async () => {
    services = await startServices();
    const { certificates, cluster } = services;
    const assembled = assemble(folder.path);
    // As the kubelet would mount it: cluster access, the settings, the Secrets.
    const files = mountedFiles(folder.path, {
      'etc/ssvirt/config.yaml': dataOf(objects, 'ConfigMap', 'ssvirt-config')['config.yaml'] ?? '',
      'secrets/tls/tls.crt': readFileSync(certificates.certFile, 'utf8'),
      'secrets/tls/tls.key': readFileSync(certificates.keyFile, 'utf8'),
      'secrets/initial-admin/password': 'correct-horse-battery-staple',
      [`${accountFolder}/ca.crt`]: cluster.ca,
      [`${accountFolder}/token`]: cluster.token,
      [`${accountFolder}/namespace`]: 'ssvirt-system',
    });
    place = { folder: folder.path, assembled, files };
  });
  after(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all(running.map(({ exited }) => exited));
    await services?.stop();
  });
  const start = (command: readonly string[], env: Readonly<Record<string, string>> = {}): InRoot => {
    const one = runInRoot(place, command, env);
    running.push(one);
    return one;
  };

  test('has a read-only root, and a user that is not root', async () => {
    const tries =
      'id -u; for dir in / /opt/ssvirt /usr/local/bin /etc/ssvirt /tmp; do touch $dir/x && echo "written $dir"; done; true';
    const { exited, said } = start(['/bin/sh', '-c', tries]);
    assert.deepEqual((await exited)[0], 0, said());
    assert.match(said(), /^65532$/m);
    assert.doesNotMatch(said(), /written/);
    assert.match(said(), /Read-only file system/);
  });

  test('has the command under its names, with its version', async () => {
    const { version } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string;
    };
    const one = start(['/usr/local/bin/ssvirt', '--version']);
    assert.deepEqual((await one.exited)[0], 0, one.said());
    assert.equal(one.said().trim(), version);
    const help = start(['/usr/local/bin/ssvirt-vm-controller', '--help']);
    assert.deepEqual((await help.exited)[0], 0, help.said());
    assert.match(help.said(), /ssvirt vm-controller/);
  });

  test('has a list of what is in it, with the Node that it runs on and nothing for development', () => {
    const sbom = JSON.parse(readFileSync(join(place.assembled, 'opt/ssvirt/sbom.spdx.json'), 'utf8')) as {
      readonly packages: readonly { readonly name: string }[];
    };
    const listed = new Set(sbom.packages.map(({ name }) => name));
    const folders = readdirSync(join(place.assembled, 'opt/ssvirt/node_modules')).flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(place.assembled, 'opt/ssvirt/node_modules', name)).map((inner) => `${name}/${inner}`)
        : [name],
    );
    assert.deepEqual(
      folders.filter((name) => !listed.has(name)),
      [],
    );
    assert.ok([...listed].some((name) => name.startsWith('node-')));
    assert.deepEqual(
      ['typescript', 'oxlint', 'playwright-core', '@kubernetes/client-node', 'jose', '@marcbachmann/cel-js'].filter(
        (name) => folders.includes(name),
      ),
      [],
    );
    for (const name of ['sandbox', 'ssvirt/src/processes/dev'])
      assert.equal(existsSync(join(place.assembled, 'opt/ssvirt/dist', name)), false, name);
  });

  test('migrates the database, as the Job of the chart has it done', async () => {
    const one = start(['/usr/local/bin/ssvirt', 'database', 'migrate'], {
      SSVIRT_DATABASE_URL: services.database.url,
    });
    assert.deepEqual((await one.exited)[0], 0, one.said());
    assert.match(one.said(), /up to date|migrat/i);
  });

  for (const name of processNames)
    test(`runs ${name} by the command and the settings of its Deployment`, async () => {
      const { command, args = [], env = [] } = containerOf(name);
      const { health, env: ports } = await anyPorts(name);
      const { hostname, port } = new URL(services.cluster.url);
      // The URL of the database comes from a Secret; the ports differ, since all processes share those of this host.
      const given = Object.fromEntries(env.map((one) => [one.name, one.value ?? services.database.url]));
      const one = start([...command, ...args], {
        ...given,
        ...ports,
        KUBERNETES_SERVICE_HOST: hostname,
        KUBERNETES_SERVICE_PORT: port,
      });
      await until(
        `${name} is healthy`,
        async () => {
          if (one.child.exitCode !== null) throw new Error(one.said());
          return (await ask(`${health}/healthz`)).status === 200;
        },
        { deadlineMs: 60_000, everyMs: 100 },
      );
      await until(`${name} is ready`, async () => (await ask(`${health}/readyz`)).status === 200, {
        deadlineMs: 60_000,
        everyMs: 100,
      });
      const status = readFileSync(`/proc/${one.child.pid}/status`, 'utf8');
      assert.match(status, /^Uid:\t65532\t65532\t65532\t65532$/m);
      assert.match(status, /^CapEff:\t0+$/m);
      assert.match(status, /^NoNewPrivs:\t1$/m);
      one.child.kill('SIGTERM');
      assert.deepEqual((await one.exited)[0], 0, one.said());
    });
});
