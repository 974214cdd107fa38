/** Templates outlive the simulators if there is a data folder. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createClient } from '../../packages/kube/src/client/create.ts';
import { createLogger } from '../../packages/base/src/config/log.ts';
import { templates } from '../../packages/sandbox/src/simulators/samples/kinds.ts';
import { startSimulators, type Simulators } from '../../packages/sandbox/src/simulators/start.ts';
import { throwAwayFolder } from '../cluster/cluster.ts';
import { startSandbox } from '../cluster/sandbox.ts';
import { fixedSource } from '../fleet/sandboxes.ts';

test('a template is there again after a restart, under its uid and version, and a watch goes on from there', async (t) => {
  const cluster = await startSandbox();
  t.after(() => cluster.stop());
  const folder = await throwAwayFolder('ssvirt-templates-');
  t.after(() => folder.remove());
  const source = fixedSource(cluster);
  const client = createClient({ cluster: 'templates', source, userAgent: 'templates-test' });
  t.after(() => client.close());
  const start = (): Promise<Simulators> =>
    startSimulators({
      source,
      name: 'templates',
      parts: ['templates'],
      data: join(folder.path, 'kept'),
      log: createLogger({ level: 'error', format: 'text' }),
    });

  const first = await start();
  const metadata = { namespace: 'default', name: 'kept' };
  const created = await client.create(templates, { metadata, objects: [], parameters: [] });
  await first.stop();

  const second = await start();
  t.after(() => second.stop());
  const found = await client.get(templates, metadata);
  assert.deepEqual(found, created);
  const { resourceVersion } = await client.list(templates, { namespace: 'default' });
  const watch = await client.watch(templates, { namespace: 'default', resourceVersion });
  await client.patch(templates, metadata, { type: 'merge', body: { message: 'still here' } });
  for await (const [event] of watch) {
    assert.equal(event?.object['message'], 'still here');
    break;
  }
  watch.close();
});
