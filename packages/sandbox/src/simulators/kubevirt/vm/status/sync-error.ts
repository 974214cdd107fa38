import { isConflict } from '@ssvirt/kube/errors';
import { serverWords } from '../../../server-words.ts';

/** `SyncError` is an error that keeps a VM from its desired state. The condition Failure reports it, and the VM is retried. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  readonly reason: string;

  constructor(reason: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}

/** A conflict is returned unchanged: another writer has changed the object, and no failure is reported. */
export function syncErrorOf(reason: string, about: string, error: unknown): unknown {
  return isConflict(error) ? error : new SyncError(reason, `${about}: ${serverWords(error)}`, error);
}
