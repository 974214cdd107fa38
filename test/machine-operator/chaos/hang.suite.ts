/**
 * One of three clusters accepts every request and answers none: the Machines of the others are created, changed and
 * deleted meanwhile, its own when it recovers.
 */
// only in make test-all: test/fleet/five-clusters.test.ts has a cluster that hangs
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { virtualMachines } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { testSeed } from '../../chosen.ts';
import { Dice } from '../../conformance/dice.ts';
import { agree } from './agreement.ts';
import { Declared } from './declared.ts';
import { ChaosHarness, clusterNames, hang, heal, teams } from './harness.ts';
import { create, edit, remove } from './people.ts';

const hung = 'west';
const others = clusterNames.filter((name) => name !== hung);
const inTime = { deadlineMs: 100_000 };

suite('three clusters, one of which hangs', { timeout: 240_000 }, () => {
  const seed = testSeed(4004);
  const dice = new Dice(seed);
  const all: Declared[] = [];
  let harness: ChaosHarness;

  const declare = async (name: string, cluster: string): Promise<void> => {
    const declared = new Declared(teams[0], `${name}-${cluster}`);
    all.push(declared);
    await create(harness, declared, dice, cluster);
  };
  const found = (name: string): readonly Declared[] => all.filter((one) => one.name.startsWith(name));

  before(async () => {
    // More keys than workers: those of the hanging cluster are all busy.
    harness = await ChaosHarness.start({ machines: 15, settings: { maxConcurrentReconciles: '2' } });
    await harness.operators.start();
    for (const cluster of clusterNames) for (const name of ['a', 'b', 'c']) await declare(name, cluster);
    await agree(harness, all, inTime);
  });
  after(() => harness?.stop());

  test(`the Machines of the others all finish (SSVIRT_TEST_SEED=${seed})`, async () => {
    hang(harness.member(hung));
    for (const cluster of clusterNames) for (const name of ['d', 'e']) await declare(name, cluster);
    for (const declared of [...found('a'), ...found('b')])
      for (let i = 0; i < 3; i++) await edit(harness, declared, dice);
    for (const declared of found('c')) await remove(harness, declared);
    await agree(harness, all, { ...inTime, clusters: others });
    const { client } = harness.member(hung);
    const there = (await client.list(virtualMachines, { namespace: teams[0] })).items.map(
      ({ metadata }) => metadata.name,
    );
    assert.deepEqual(
      there.toSorted((a = '', b = '') => a.localeCompare(b)),
      ['vm-a-west', 'vm-b-west', 'vm-c-west'],
      'it has not hung',
    );
  });

  test('its own finish when it is back', async () => {
    heal(harness.member(hung));
    await agree(harness, all, inTime);
  });
});
