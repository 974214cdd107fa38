/**
 * The vm-controller is killed between any two of its writes, during all kinds of work on VMs and vApps: nothing is
 * lost, left over, or done twice. By default it is killed at one write in each life; SSVIRT_TEST_ALL=1 tries all.
 */
// only in make test-all: vm-status/chaos.suite.ts kills the vm-controller
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { triesAll } from '../../../chosen.ts';
import { MachineCrashHarness } from './harness.ts';
import { ObservedWrites } from './observed-writes.ts';
import { lives, strikeController, underWay, type Life } from './strike-controller.ts';

/** All work together takes about thirty writes; more than this would be a defect. */
const most = 80;
/** Each life makes at least this many writes. */
const always: Readonly<Record<Life, number>> = { this: 6, next: 3 };
/** The write before which it is killed in a run that does not try all. */
const chosen: Readonly<Record<Life, number>> = { this: 4, next: 1 };

suite('the vm-controller ends while there is work on machines', () => {
  const writes = new ObservedWrites();
  let harness: MachineCrashHarness;
  before(async () => {
    harness = await MachineCrashHarness.start(underWay.length, { observed: writes });
  });
  after(() => harness?.stop());

  for (const life of lives)
    test(`between the writes of ${life === 'this' ? 'the life that sees the work begin' : 'the life after that'}`, async (t) => {
      const hit: string[] = [];
      for (const number of numbersOf(life)) {
        const held = await strikeController(harness, writes, { life, before: number });
        if (held === undefined) break;
        hit.push(held);
      }
      t.diagnostic(`${hit.length} writes`);
      const least = triesAll ? always[life] : 1;
      assert.ok(hit.length >= least && hit.length < most, hit.join('\n'));
    });
});

function numbersOf(life: Life): readonly number[] {
  return triesAll ? Array.from({ length: most }, (_, i) => i + 1) : [chosen[life]];
}
