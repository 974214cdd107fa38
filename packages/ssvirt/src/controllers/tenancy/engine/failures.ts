/** What a failed request to a cluster means. */
import { KubeError, isRefusal, type ErrorKind } from '@ssvirt/kube/errors';
import { refusalSubject } from '../../../kubevirt/status/api-refusal.ts';
import type { TaskFailure } from '../../../db/work-queue/claimed-tasks.ts';

/** The cluster has answered and will refuse this however often it is asked. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly minorErrorCode: string;

  constructor(minorErrorCode: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.minorErrorCode = minorErrorCode;
  }

  get failure(): TaskFailure {
    return { minorErrorCode: this.minorErrorCode, message: this.message };
  }
}

/** API codes for refusals that the requester can fix. Any other refusal is a defect of ours or of the cluster. */
const refusals: Partial<Readonly<Record<ErrorKind, string>>> = {
  BadRequest: 'BAD_REQUEST',
  Invalid: 'BAD_REQUEST',
  RequestEntityTooLarge: 'BAD_REQUEST',
  Forbidden: 'CONFLICT',
};

/** Undefined if a retry may help. */
export function refusalOf(error: unknown, cluster: string): Refused | undefined {
  if (error instanceof Refused) return error;
  if (!isRefusal(error) || isPassing(error)) return undefined;
  const why = lacksRights(error)
    ? `HTTP ${error.code}: the service account of the api-server lacks a right there; the log of the server names it, and deploy/rbac lists all rights`
    : refusalText(error);
  const code = isDenied(error) ? 'BAD_REQUEST' : (refusals[error.kind] ?? 'INTERNAL_SERVER_ERROR');
  return new Refused(code, `cluster "${cluster}" refuses: ${why}`, error);
}

/** `refusalText` returns the HTTP status and the server's text. */
export function refusalText({ code, status, words, message }: KubeError): string {
  const text = words ?? message;
  return status === undefined || code === undefined ? text : `HTTP ${code}: ${text}`;
}

/**
 * A webhook or policy denies the request. Usually that is a 403, although it is no conflict with an existing object.
 */
function isDenied({ code, status, causes }: KubeError): boolean {
  return refusalSubject({ ...status, code, causes }) === 'spec';
}

/**
 * A terminating namespace accepts no new objects until it is gone, and a quota refuses everything until its usage was
 * first counted. Both pass.
 */
function isPassing(error: KubeError): boolean {
  return error.hasCause('NamespaceTerminating') || /status unknown for quota/.test(error.message);
}

/** The name of the service account must not be shown to tenants. */
function lacksRights(error: KubeError): boolean {
  return error.kind === 'Forbidden' && /is forbidden: User "/.test(error.message);
}

/** Another write came first. Reading again helps at once. */
export function isRace(error: unknown): boolean {
  if (!(error instanceof KubeError)) return false;
  return ['Conflict', 'AlreadyExists', 'NotFound'].includes(error.kind) || error.hasCause('NamespaceTerminating');
}
