/** Several clusters in one process: one kubeconfig, and no shared state. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import type { KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { throwAwayFolder, type Credentials, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { processGroup, type ProcessGroup } from '../cluster/processes.ts';
import { httpClient, type HttpClient } from '../conformance/http.ts';

const LAUNCHER = join(import.meta.dirname, '../../bin/ssvirt');
const COUNT = 3;
const NAMES = ['sandbox-1', 'sandbox-2', 'sandbox-3'];

interface Kubeconfig {
  readonly 'current-context': string;
  readonly contexts: { name: string; context: { cluster: string; user: string } }[];
  readonly clusters: { name: string; cluster: { server: string; 'certificate-authority-data': string } }[];
  readonly users: {
    name: string;
    user: { token?: string; 'client-certificate-data'?: string; 'client-key-data'?: string };
  }[];
}

describe(`${COUNT} clusters`, { timeout: 180_000 }, () => {
  let folder: ThrowAwayFolder;
  let group: ProcessGroup;
  let config: Kubeconfig;
  let clients: HttpClient[] = [];

  /** Starts all of them and returns when the kubeconfig is written, which is when they listen. */
  async function start(name: string): Promise<() => Promise<void>> {
    const file = join(folder.path, `${name}.kubeconfig`);
    const args = [
      'sandbox',
      '--bare',
      '--clusters',
      String(COUNT),
      '--listen',
      '127.0.0.1:0',
      '--kubeconfig',
      file,
      '--data',
      join(folder.path, 'data'),
    ];
    const started = group.start(name, LAUNCHER, args);
    const { child, ended } = started;
    const deadline = Date.now() + 60_000;
    for (;;) {
      try {
        config = parse(readFileSync(file, 'utf8')) as Kubeconfig;
        break;
      } catch (error) {
        if (child.exitCode !== null || Date.now() > deadline)
          throw new Error(`the sandbox does not come up:\n${started.tail()}`, { cause: error });
        await new Promise((wake) => setTimeout(wake, 20));
      }
    }
    clients = config.contexts.map(({ context }) => clientOf(config, context));
    return async () => {
      for (const client of clients) client.close();
      child.kill('SIGTERM');
      await ended;
    };
  }

  let stop: () => Promise<void>;
  before(async () => {
    folder = await throwAwayFolder('ssvirt-clusters-');
    group = processGroup(folder.path);
    stop = await start('first');
  });
  after(async () => {
    for (const client of clients) client.close();
    await group?.stop();
    await folder?.remove();
  });

  const uids = (): Promise<string[]> =>
    Promise.all(
      clients.map(async (client) => {
        const { body } = await client.send({ method: 'GET', path: '/api/v1/namespaces/kube-system' });
        return (body as KubeObject).metadata.uid ?? '';
      }),
    );

  test('one kubeconfig has a context for each, the first of which is current', () => {
    assert.deepEqual(
      config.contexts.map(({ name }) => name),
      NAMES,
    );
    assert.equal(config['current-context'], 'sandbox-1');
    assert.equal(new Set(config.clusters.map(({ cluster }) => cluster.server)).size, COUNT);
    assert.equal(new Set(config.clusters.map(({ cluster }) => cluster['certificate-authority-data'])).size, COUNT);
  });

  test('each is a cluster of its own, by the uid of kube-system', async () => {
    const all = await uids();
    assert.equal(new Set(all).size, COUNT);
    assert.ok(all.every((uid) => /^[\da-f-]{36}$/.test(uid)));
  });

  test('what is written to one is in none of the others', async () => {
    for (const [i, client] of clients.entries()) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `only-${i}` }, data: { i: String(i) } };
      assert.equal(
        (await client.send({ method: 'POST', path: '/api/v1/namespaces/default/configmaps', body })).status,
        201,
      );
    }
    for (const [i, client] of clients.entries()) {
      const statuses = await Promise.all(
        clients.map(
          async (_, j) =>
            (await client.send({ method: 'GET', path: `/api/v1/namespaces/default/configmaps/only-${j}` })).status,
        ),
      );
      assert.deepEqual(
        statuses,
        clients.map((_, j) => (i === j ? 200 : 404)),
      );
    }
  });

  test('the credentials of one are worth nothing at another', async () => {
    const [first, second] = [credentialsOf(config, 0), credentialsOf(config, 1)];
    const stranger = httpClient({ ...second, token: first.token });
    assert.equal((await stranger.send({ method: 'GET', path: '/api/v1/namespaces' })).status, 401);
    stranger.close();
    const { cert, key } = certificateOf(config, 0);
    const byCertificate = httpClient(second, { certificate: { cert, key } });
    assert.equal((await byCertificate.send({ method: 'GET', path: '/api/v1/namespaces' })).status, 401);
    byCertificate.close();
  });

  test('a fault strikes only the cluster that it was given to', async () => {
    const [first, second] = clients as [HttpClient, HttpClient];
    assert.equal((await first.send({ method: 'POST', path: '/sandbox/faults', body: { kind: '503' } })).status, 201);
    assert.equal((await first.send({ method: 'GET', path: '/api/v1/namespaces' })).status, 503);
    assert.equal((await second.send({ method: 'GET', path: '/api/v1/namespaces' })).status, 200);
    assert.equal((await first.send({ method: 'DELETE', path: '/sandbox/faults' })).status, 200);
  });

  test('each keeps its state and its identity over a restart', async () => {
    const before = await uids();
    const authorities = config.clusters.map(({ cluster }) => cluster['certificate-authority-data']);
    await stop();
    stop = await start('second');
    assert.deepEqual(await uids(), before);
    assert.deepEqual(
      config.clusters.map(({ cluster }) => cluster['certificate-authority-data']),
      authorities,
    );
    for (const [i, client] of clients.entries()) {
      assert.equal(
        (await client.send({ method: 'GET', path: `/api/v1/namespaces/default/configmaps/only-${i}` })).status,
        200,
      );
    }
  });
});

/** Connects as kubectl would: with the client certificate of the context's user. */
function clientOf(config: Kubeconfig, { cluster }: { cluster: string; user: string }): HttpClient {
  const i = config.clusters.findIndex(({ name }) => name === cluster);
  return httpClient(credentialsOf(config, i), { certificate: certificateOf(config, i) });
}

function credentialsOf(config: Kubeconfig, i: number): Credentials {
  const { name, cluster } = config.clusters[i] as Kubeconfig['clusters'][number];
  const token = config.users.find((user) => user.name === `${name}-token`)?.user.token ?? '';
  return { url: cluster.server, ca: decode(cluster['certificate-authority-data']), token };
}

function certificateOf(config: Kubeconfig, i: number): { cert: string; key: string } {
  const { user } = config.contexts[i]?.context ?? { user: '' };
  const found = config.users.find(({ name }) => name === user)?.user;
  return { cert: decode(found?.['client-certificate-data'] ?? ''), key: decode(found?.['client-key-data'] ?? '') };
}

const decode = (base64: string): string => Buffer.from(base64, 'base64').toString();
