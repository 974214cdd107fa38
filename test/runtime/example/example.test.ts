/** The example of docs/contributor/controllers.md: the page shows exactly these files, and they work. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { isConditionTrue } from '@ssvirt/kube';
import { eventType } from '../../../packages/kube/src/events/event.ts';
import { until } from '../until.ts';
import { configMaps, greetings } from './kinds.ts';
import { key, startExample } from './scene.ts';

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

test('the example greets, repairs what others change, and cleans up behind itself', { timeout: 120_000 }, async (t) => {
  const { client, controller, urls, greeting, configMap } = await startExample(t, import.meta.dirname);
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
