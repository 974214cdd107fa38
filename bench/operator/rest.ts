/** Waits until an operator has nothing left to do. */
import type { OperatorProcess } from './operator-process.ts';
import { counted, reconciles, requestsOf } from './requests.ts';

/** Until nothing moves for so long, nothing is on its way. */
const quietMs = 3000;
const deadlineMs = 600_000;

/** Events and reconciles may lag behind what is made. Leases go on. */
export async function quiet(operator: Pick<OperatorProcess, 'metrics'>): Promise<void> {
  let last = -1;
  let at = performance.now();
  // Not often: metrics take the operator time to write.
  const everyMs = 500;
  await until('the operator is at rest', everyMs, async () => {
    const text = await operator.metrics();
    const requests = requestsOf(text);
    const now = counted(requests, 'POST') + counted(requests, 'PATCH') + reconciles(text);
    if (now !== last) at = performance.now();
    last = now;
    return performance.now() - at > quietMs;
  });
}

export async function until(what: string, everyMs: number, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + deadlineMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs / 1000} s in vain until ${what}`);
    await new Promise((wake) => setTimeout(wake, everyMs));
  }
}
