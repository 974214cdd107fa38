/** Waits until an operator is idle. */
import type { OperatorProcess } from './operator-process.ts';
import { counted, reconciles, requestsOf } from './requests.ts';

/** An operator without activity for this long has nothing left to do. */
const quietMs = 3000;
const deadlineMs = 600_000;

/** Events and reconciles may lag behind the created objects. Lease renewals continue and do not count. */
export async function quiet(operator: Pick<OperatorProcess, 'metrics'>): Promise<void> {
  let last = -1;
  let at = performance.now();
  // The interval is long because rendering metrics costs the operator time.
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
