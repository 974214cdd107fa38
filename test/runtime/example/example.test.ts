/** The example of docs/contributor/controllers.md: the page shows exactly these files, and they work. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { parse } from 'yaml';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import { createClient } from '../../../packages/kube/src/client/create.ts';
import { eventType } from '../../../packages/kube/src/events/event.ts';
import { isConditionTrue } from '../../../packages/kube/src/reconcile/conditions.ts';
import { find } from '../../../packages/kube/src/reconcile/create-or-patch.ts';
import { startSandbox } from '../../cluster/sandbox.ts';
import { until } from '../until.ts';
import { configMaps, greetings, type ConfigMap, type Greeting } from './kinds.ts';

const root = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(root, 'docs/contributor/controllers.md'), 'utf8');

test('the page shows the files of the example as they are', () => {
  const blocks = [...page.matchAll(/^```\w+ (test\/runtime\/example\/\S+)\n(.*?)^```$/gms)];
  assert.deepEqual(
    blocks.map(([, file]) => file),
    ['kinds.ts', 'greeting.ts', 'main.ts'].map((file) => `test/runtime/example/${file}`),
  );
  for (const [, file = '', text] of blocks) assert.equal(text, readFileSync(join(root, file), 'utf8'), file);
});

interface Urls {
  readonly health?: string;
  readonly metrics?: string;
}

interface Scene {
  readonly client: Client;
  readonly controller: ChildProcess;
  /** The URLs of health and metrics, as the process logs them. */
  readonly urls: Promise<Urls>;
  readonly greeting: () => Promise<Greeting | undefined>;
  readonly configMap: () => Promise<ConfigMap | undefined>;
}

const key = { namespace: 'default', name: 'first' };

async function scene(t: TestContext): Promise<Scene> {
  const sandbox = await startSandbox({ args: ['--log-level', 'warn'] });
  t.after(() => sandbox.stop());
  const { url, ca, token } = sandbox;
  const connection = { server: url, tls: { ca }, headers: { authorization: `Bearer ${token}` } };
  const source = { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
  const client = createClient({ cluster: 'sandbox', source, userAgent: 'example-test' });
  t.after(() => client.close());
  await client.request({
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: parse(readFileSync(join(import.meta.dirname, 'greetings.crd.yaml'), 'utf8')),
  });
  const controller = spawn(join(root, 'bin/node'), [join(import.meta.dirname, 'main.ts')], {
    env: { ...process.env, KUBECONFIG: sandbox.adminKubeconfig, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.after(() => controller.kill('SIGKILL'));
  return {
    client,
    controller,
    urls: servedAt(controller.stdout),
    greeting: () => find(client, greetings, key),
    configMap: () => find(client, configMaps, key),
  };
}

function servedAt(log: Readable): Promise<Urls> {
  // Reads to the end, because nothing else empties the pipe.
  const first = Promise.withResolvers<Urls>();
  createInterface({ input: log })
    .on('line', (text) => {
      const { msg, ...urls } = JSON.parse(text) as Urls & { readonly msg: string };
      if (msg === 'serving') first.resolve(urls);
    })
    .on('close', () => first.reject(new Error('it ended and did not say where it serves')));
  return first.promise;
}

test('the example greets, repairs what others change, and cleans up behind itself', { timeout: 120_000 }, async (t) => {
  const { client, controller, urls, greeting, configMap } = await scene(t);
  const greet = async (to: string): Promise<void> => {
    const isGreeted = async (): Promise<boolean> => {
      const object = await greeting();
      const { conditions, observedGeneration, text } = object?.status ?? {};
      const current = observedGeneration === object?.metadata.generation;
      return current && isConditionTrue(conditions, 'Ready') && text === `Hello, ${to}!`;
    };
    // The first time includes the start of the process.
    await until(`it greets ${to}`, isGreeted, { deadlineMs: 60_000 });
    assert.deepEqual((await configMap())?.data, { text: `Hello, ${to}!` });
  };
  await until('the kind is served', () =>
    client.create(greetings, { metadata: key, spec: { to: 'world' } }).then(() => true),
  );
  await greet('world');
  await client.patch(greetings, key, { type: 'merge', body: { spec: { to: 'moon' } } });
  await greet('moon');
  await client.patch(configMaps, key, { type: 'merge', body: { data: { text: 'Go away!' } } });
  await until('what another changed is put right', async () => (await configMap())?.data?.['text'] === 'Hello, moon!');
  await client.delete(configMaps, key);
  await until('what another deleted is made again', async () => (await configMap())?.data?.['text'] === 'Hello, moon!');
  await until('it has told', async () => {
    const { items } = await client.list(eventType, { namespace: 'default', fieldSelector: 'reason=Greeted' });
    return items.some(({ message }) => message === 'It says "Hello, moon!"');
  });

  const { health, metrics } = await urls;
  const said = async (url: string): Promise<string> => (await fetch(url)).text();
  assert.match(await said(`${health}/readyz?verbose`), /readyz check passed/);
  const measured = await said(`${metrics}/metrics`);
  assert.match(measured, /^controller_runtime_reconcile_total\{controller="greeting",result="success"\} [1-9]/m);
  assert.match(measured, /^informer_handler_pending_events\{.*resource="configmaps",handler="greeting"\} 0$/m);

  await client.delete(greetings, key);
  await until('the greeting is gone', async () => (await greeting()) === undefined);
  assert.equal(await configMap(), undefined);

  controller.kill('SIGTERM');
  const [code] = (await once(controller, 'exit')) as [number | null];
  assert.equal(code, 0);
});
