import { isConflict } from '../../../../kube/errors.ts';
import { serverWords } from '../../server-words.ts';

/** What keeps a VM from being what it should be. The condition Failure shows it, and the VM is tried again. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  readonly reason: string;

  constructor(reason: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}

/** A conflict stays one: whoever was first has changed what we look at, and nobody has to hear of that. */
export function syncErrorOf(reason: string, about: string, error: unknown): unknown {
  return isConflict(error) ? error : new SyncError(reason, `${about}: ${serverWords(error)}`, error);
}
