import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { buildWorld, observation, type World } from '../../../../../test/database/observed-world.ts';
import type { ObservationStore, VmDeletion, VmObservation, WriteResult } from './contracts.ts';
import { createObservationStore } from './store.ts';

let test: TestDatabase;
let world: World;
let store: ObservationStore;
let sequence = 0;

before(async () => {
  test = await startTestDatabase();
  world = await buildWorld(test.database.pool);
  store = createObservationStore(world.pool);
});
after(() => test.stop());

async function write(
  observations: readonly VmObservation[],
  deletions: readonly VmDeletion[] = [],
): Promise<readonly WriteResult[]> {
  const result = await store.write(world.term, ++sequence, { observations, deletions });
  return [...result.observations, ...result.deletions];
}

it('lets the row of a deleted machine live again when its cluster has it again, and not for late news', async () => {
  const machine = observation({ name: 'back', vappId: world.vapp });
  const [made] = await write([machine]);
  await write([], [machine]);
  const [late] = await write([machine]);
  assert.deepEqual([late?.outcome, late?.oldStatus], ['older', 'DELETED']);
  const [again] = await write([{ ...machine, returned: true, status: 'POWERED_OFF' }]);
  assert.deepEqual([again?.outcome, again?.vmId, again?.newStatus], ['updated', made?.vmId, 'POWERED_OFF']);
  const [once] = await write([{ ...machine, returned: true, status: 'POWERED_OFF' }]);
  assert.equal(once?.outcome, 'unchanged');
});

it('gives it its name back when the machine that had taken it is gone', async () => {
  const first = observation({ name: 'taken', vappId: world.vapp });
  const second = observation({ name: 'taken', vappId: world.vapp });
  const [made] = await write([first]);
  await write([], [first]);
  await write([second]);
  await write([], [second]);
  const [again] = await write([{ ...first, returned: true }]);
  assert.deepEqual([again?.outcome, again?.vmId], ['updated', made?.vmId]);
});

it('lets a sequence that was overtaken change nothing, returned or not', async () => {
  const machine = observation({ name: 'overtaken', vappId: world.vapp });
  await write([machine]);
  await write([], [machine]);
  const { observations } = await store.write(world.term, sequence - 1, {
    observations: [{ ...machine, returned: true }],
    deletions: [],
  });
  assert.equal(observations[0]?.outcome, 'older');
});
