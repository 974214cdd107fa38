import { setTimeout as pause } from 'node:timers/promises';
import { isPassing } from './changes.ts';

const againMs = 500;

/** `readAgain` reads through temporary outages of the server; resolves to undefined when the signal is aborted. */
export async function readAgain<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await read();
    } catch (error) {
      if (!isPassing(error)) throw error;
    }
    await pause(againMs, undefined, { signal }).catch(() => undefined);
  }
  return undefined;
}
