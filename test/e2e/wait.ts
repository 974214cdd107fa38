/** Waits for a state, reports progress meanwhile, and ends with the run. */
import { setTimeout } from 'node:timers/promises';
import type { Journal } from './journal.ts';

/** One look at the state. */
export interface Sight<T> {
  /** What was observed, in a few words. */
  readonly seen: string;
  /** Present when the state is as required. */
  readonly found?: T;
  /** The state cannot be reached any more, so the wait ends. */
  readonly hopeless?: boolean;
}

export interface WaitOptions {
  readonly journal: Journal;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** The state was not reached, or something failed; the message is for the user at the terminal. */
export class StoryError extends Error {
  override readonly name = 'StoryError';
}

const everyMs = 250;

export async function waitUntil<T>(
  what: string,
  look: () => Promise<Sight<T>>,
  { journal, deadlineMs, signal }: WaitOptions,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    signal.throwIfAborted();
    const { seen, found, hopeless = false } = await sight(look);
    journal.see(seen);
    if (found !== undefined) return found;
    if (hopeless) throw new StoryError(`it will not be that ${what}: ${seen}`);
    if (performance.now() > deadline)
      throw new StoryError(`after ${Math.round(deadlineMs / 1000)} s it is not so that ${what}: ${seen}`);
    await setTimeout(everyMs, undefined, { signal });
  }
}

/** A cluster that does not answer for a moment does not end the wait. */
async function sight<T>(look: () => Promise<Sight<T>>): Promise<Sight<T>> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof StoryError) throw error;
    return { seen: `cannot be looked at: ${(error as Error).message}` };
  }
}
