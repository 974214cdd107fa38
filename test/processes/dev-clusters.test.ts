/** Several simulated clusters: their names, how to reach each alone, and their ports. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { throwAwayFolder, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { ConfigError } from '../../packages/base/src/config/setting.ts';
import { strictKubeconfig } from '../../packages/kube/src/kubeconfig/load.ts';
import { loadIdentity } from '../../packages/sandbox/src/server/identity.ts';
import { kubeconfig } from '../../packages/sandbox/src/server/kubeconfig.ts';
import { clusterNames, kubeconfigOf } from '../../packages/ssvirt/src/processes/dev/clusters.ts';
import { openFolder } from '../../packages/ssvirt/src/processes/dev/folder.ts';
import { settle } from '../../packages/ssvirt/src/processes/dev/ports.ts';

let place: ThrowAwayFolder;
before(async () => {
  place = await throwAwayFolder('ssvirt-dev-clusters-');
});
after(() => place?.remove());

test('the first cluster keeps its name when others come, and none that is there is left out later', () => {
  const folder = openFolder(join(place.path, 'named'));
  assert.deepEqual(clusterNames(folder, 1), ['local']);
  assert.deepEqual(clusterNames(folder, 3), ['local', 'east', 'west']);
  for (const name of ['local', 'east', 'west']) mkdirSync(join(folder.sandbox, name), { recursive: true });
  assert.deepEqual(clusterNames(folder, 1), ['local', 'east', 'west']);
  assert.deepEqual(clusterNames(folder, 4), ['local', 'east', 'west', 'north']);
  const former = openFolder(join(place.path, 'former'));
  mkdirSync(join(former.sandbox, 'sandbox'), { recursive: true });
  assert.deepEqual(clusterNames(former, 2), ['sandbox', 'east']);
});

test('a KubevirtConfig is given what leads to its own cluster alone, as a Secret may hold it', async () => {
  const file = join(place.path, 'kubeconfig');
  const of = async (name: string, port: number): Promise<Parameters<typeof kubeconfig>[0][number]> => ({
    name,
    url: `https://127.0.0.1:${port}`,
    identity: await loadIdentity({ host: '127.0.0.1', token: `token-of-${name}` }),
  });
  writeFileSync(file, kubeconfig([await of('sandbox', 1), await of('east', 2)]));
  const text = kubeconfigOf(file, 'east');
  assert.doesNotMatch(text, /sandbox/);
  const { server, headers } = await strictKubeconfig(text).current();
  assert.equal(server, 'https://127.0.0.1:2');
  assert.equal(headers['Authorization'], 'Bearer token-of-east');
});

test('clusters listen on ports in a row, and one that is taken is said', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const wanted = (from: number): Parameters<typeof settle>[0] => [
    { key: 'dev.sandboxListen', flag: '--sandbox-listen', at: { host: '127.0.0.1', port: from }, count: 3 },
  ];
  const [free] = await settle(wanted(0));
  assert.ok(free !== undefined && (port < free.port || port > free.port + 2));
  await assert.rejects(
    settle(wanted(port - 1)),
    (error) => error instanceof ConfigError && error.message.includes('another process is using it'),
  );
  taken.close();
});
