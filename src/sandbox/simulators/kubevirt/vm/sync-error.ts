import { ApiError, isConflict } from '../../../../kube/errors.ts';

/** What keeps a VM from being what it should be. The condition Failure shows it, and the VM is tried again. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  readonly reason: string;

  constructor(reason: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.reason = reason;
  }
}

/** As a refusal reads in conditions and events: the server's own words. */
export function textOf(error: unknown): string {
  if (error instanceof ApiError) return error.status?.message ?? error.message;
  return error instanceof Error ? error.message : String(error);
}

/** A conflict stays one: whoever was first has changed what we look at, and nobody has to hear of that. */
export function syncErrorOf(reason: string, about: string, error: unknown): unknown {
  return isConflict(error) ? error : new SyncError(reason, `${about}: ${textOf(error)}`, error);
}
