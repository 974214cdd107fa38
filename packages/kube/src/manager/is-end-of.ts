/** Whether a runnable's error is only the consequence of its being stopped. */
import { isKind } from '../errors.ts';
import { LeadershipLost } from '../leader-election/term.ts';

export function isEndOf(signal: AbortSignal, error: unknown): boolean {
  if (error instanceof LeadershipLost) return true; // the elector reports the loss itself
  if (!signal.aborted) return false;
  return error === signal.reason || isKind(error, 'Aborted') || (error instanceof Error && error.name === 'AbortError');
}
