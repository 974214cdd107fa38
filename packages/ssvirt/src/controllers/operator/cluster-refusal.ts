/** What an error of a cluster means for a step of an operator: each operator reports it in the words of its own resource. */
import { KubeError, type ErrorKind } from '@ssvirt/kube/errors';
import { sentenceOf } from '../../kubevirt/machine/trouble-words.ts';
import { refusalSubject, type RefusalSubject } from '../../kubevirt/status/api-refusal.ts';
import { quotaFault } from '../../kubevirt/status/quota.ts';

/** `lookAgainMs` is the retry interval for causes that only change outside and that no watch reports. */
export const lookAgainMs = 60_000;

/** A write conflict, or the caller gave up: these say nothing about the cluster. */
const passing: ReadonlySet<ErrorKind> = new Set(['Conflict', 'Aborted']);

/** `isAboutCluster` returns whether the error is one of the cluster, which the status reports. Others are retried as they are. */
export function isAboutCluster(error: unknown): error is KubeError {
  return error instanceof KubeError && !passing.has(error.kind);
}

/** What a refusal is about. A webhook's denial may be a 403, too, and more rights do not lift it. */
export function subjectOf({ status, code, causes }: KubeError): RefusalSubject {
  return refusalSubject({ ...status, code, causes });
}

/** `quotaText` returns a sentence about the quota that is used up; undefined if the refusal names none. */
export function quotaText({ message }: KubeError): string | undefined {
  const fault = quotaFault(message);
  return fault === undefined ? undefined : sentenceOf({ fault: fault.sentence });
}
