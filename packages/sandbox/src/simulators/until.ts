/** Polls a condition, with slightly growing pauses and a deadline. */
import { sleep, systemClock } from '@ssvirt/kube/clock';

/** `NotReadyError`: something was not ready in time. The message is for the user. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

export interface UntilOptions {
  readonly withinMs: number;
  readonly signal?: AbortSignal;
  /** The message for the timeout. */
  readonly failure: () => string;
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

export async function until(holds: () => Promise<boolean>, options: UntilOptions): Promise<void> {
  const { withinMs, signal, failure } = options;
  const deadline = systemClock.now() + withinMs;
  for (let pause = FIRST_PAUSE_MS; !(await holds()); pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    if (systemClock.now() > deadline) throw new NotReadyError(failure());
    await sleep(systemClock, pause, signal);
    signal?.throwIfAborted();
  }
}
