/** The vm-controller is killed while VMs and vApps are created, changed and deleted. */
import assert from 'node:assert/strict';
import { until } from '../../../runtime/until.ts';
import type { Replica } from '../replica.ts';
import type { MachineCrashHarness } from './harness.ts';
import type { ObservedWrites } from './observed-writes.ts';
import { doneTwice } from './once.ts';
import { operationNames, operationOf, type OperationName } from './operations.ts';
import { nowIn, prepared, requireKept, watchedOf } from './strike.ts';

/** Run concurrently, each in a VDC of its own: all operations except the one that needs a fault in the cluster. */
export const underWay: readonly OperationName[] = operationNames.filter((name) => name !== 'create that is refused');

/** Which life is killed: the present one, or the next one, after the present one was killed. */
export const lives = ['this', 'next'] as const;
export type Life = (typeof lives)[number];

export interface ControllerStrike {
  readonly life: Life;
  /** The number of the write before which it is killed. */
  readonly before: number;
}

/** Resolves to the statement that it never sent; undefined if all work was done before that write. */
export async function strikeController(
  harness: MachineCrashHarness,
  writes: ObservedWrites,
  { life, before }: ControllerStrike,
): Promise<string | undefined> {
  const operations = underWay.map(operationOf);
  const { controller, db } = harness;
  const { replicas, stage } = harness.replicas;
  await harness.ready();
  const subjects = await prepared(harness, operations);
  const watched = subjects.map((subject) => watchedOf(subject));
  stage.watch('', watched);
  const since = await nowIn(db);
  if (life === 'next') await controller.kill();
  writes.holdBefore(before);
  try {
    const answers = await Promise.all(
      subjects.map(async (subject, i) => operations[i]?.ask(harness, replicas[i % 2] as Replica, subject)),
    );
    const isHeldOrDone = async (): Promise<boolean> =>
      writes.heldAt !== undefined || (await harness.disagreements()).length === 0;
    await until('it is held, or all is done', isHeldOrDone, { deadlineMs: 120_000, everyMs: 50 });
    if (writes.heldAt !== undefined) await controller.kill();
    writes.drop();
    await harness.agree();
    assert.ok(answers.some((answer) => answer?.status === 202));
    for (const [i, operation] of operations.entries()) {
      const [one, status] = [watched[i], answers[i]?.status];
      // A new controller has not read the cluster yet, so its state is unknown and a request may get 503.
      if (one !== undefined) await requireKept(harness, operation, one, { since, status, mayWait: true });
    }
    assert.deepEqual(doneTwice(stage.written), []);
  } catch (error) {
    const log = controller.log.slice(-3000);
    throw new Error(`before write ${before} of ${life} life: ${writes.heldAt?.slice(0, 100)}\n${log}`, {
      cause: error,
    });
  } finally {
    writes.drop();
  }
  await harness.clear(replicas[0]);
  return writes.heldAt;
}
