/**
 * `until` waits for a condition. It throws at the deadline, or when a watch that the condition depends on has failed.
 */
import type { Observer } from './observer.ts';

export interface Waiting {
  readonly seconds: number;
  readonly complaint: () => string;
  readonly observers: readonly Observer[];
}

export async function until(holds: () => boolean, { seconds, complaint, observers }: Waiting): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!holds()) {
    for (const { failure } of observers) if (failure !== undefined) throw failure;
    if (performance.now() > deadline) throw new Error(`${complaint()} within ${seconds} s`);
    await pause(20);
  }
}

export const pause = (milliseconds: number): Promise<void> => new Promise((wake) => setTimeout(wake, milliseconds));
