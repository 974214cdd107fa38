/**
 * When AAP is called, what is recorded about the call, and the payload. The record contains nothing of the payload:
 * parameters hold cloud-init text and keys.
 */
import { fingerprint } from '../../machine/fingerprint.ts';
import { remaining } from '../elapsed.ts';
import { group, kind, version, type WebhookRecord } from '../resource.ts';

export type WebhookAction = WebhookRecord['action'];

export interface AapTimes {
  /** Between any two calls for one order. */
  readonly minimumIntervalMs: number;
  /** After the first failure; doubles with every further one. */
  readonly retryInitialMs: number;
  readonly retryLongestMs: number;
  /** An accepted call without a result is repeated after this time. */
  readonly repeatAfterMs: number;
  /** For how long a job may run. */
  readonly quietPeriodMs: number;
}

export interface WantedCall {
  readonly action: WebhookAction;
  readonly configVersion: string;
  /** The computed version of the spec that is sent, if `configVersion` differs. */
  readonly specVersion?: string;
}

export type NextCall = { readonly call: true } | { readonly afterMs: number };

/** `unanswered`: the call may have arrived nevertheless. */
export type CallResult = { readonly accepted: true } | { readonly error: string; readonly unanswered?: boolean };

/**
 * `jitter`, from 0 to 1, subtracts up to a quarter from the time between failures, so that many orders do not return at
 * once.
 */
export function nextCall(
  record: WebhookRecord | undefined,
  wanted: WantedCall,
  times: AapTimes,
  now: number,
  jitter = 0,
): NextCall {
  if (record === undefined) return { call: true };
  const interval = remaining(record.lastAttemptTime, times.minimumIntervalMs, now);
  const afterMs = Math.max(interval, isFor(record, wanted) ? sameAgain(record, times, now, jitter) : 0);
  return afterMs > 0 ? { afterMs } : { call: true };
}

function sameAgain(record: WebhookRecord, times: AapTimes, now: number, jitter: number): number {
  const { lastAttemptTime, attempts } = record;
  if (isAccepted(record)) return remaining(lastAttemptTime, times.repeatAfterMs, now);
  return remaining(lastAttemptTime, backoff(attempts, times) * (1 - jitter / 4), now);
}

export function backoff(failures: number, { retryInitialMs, retryLongestMs }: AapTimes): number {
  return Math.min(retryLongestMs, retryInitialMs * 2 ** Math.max(0, failures - 1));
}

/**
 * Only the last call counts. A spec that goes from A to B and back to A is requested again, with the same key, although
 * A was accepted before: AAP has run B in between, so the result of A is gone. A receiver that drops repeated keys must
 * forget a key at the next different one.
 */
function isFor({ action, configVersion }: WebhookRecord, wanted: WantedCall): boolean {
  return action === wanted.action && configVersion === wanted.configVersion;
}

/** The last call was accepted. */
export function isAccepted({ acceptedTime, lastError }: WebhookRecord): boolean {
  return acceptedTime !== undefined && lastError === undefined;
}

export function recorded(
  before: WebhookRecord | undefined,
  wanted: WantedCall,
  result: CallResult,
  now: number,
): WebhookRecord {
  const { action, configVersion, specVersion } = wanted;
  const time = new Date(now).toISOString();
  const spec = specVersion === undefined ? {} : { specVersion };
  if ('accepted' in result)
    return {
      action,
      configVersion,
      ...spec,
      attempts: attemptsOf(before, wanted),
      lastAttemptTime: time,
      acceptedTime: time,
      acceptedConfigVersion: configVersion,
    };
  const unansweredTime = result.unanswered === true ? time : before?.unansweredTime;
  const isSameAction = before?.action === action;
  return {
    action,
    configVersion,
    ...spec,
    attempts: attemptsOf(before, wanted),
    lastAttemptTime: time,
    // An accepted call may still be running, even if it was for another version.
    ...(isSameAction && before.acceptedTime !== undefined
      ? {
          acceptedTime: before.acceptedTime,
          acceptedConfigVersion: before.acceptedConfigVersion ?? before.configVersion,
        }
      : {}),
    ...(isSameAction || result.unanswered === true ? (unansweredTime === undefined ? {} : { unansweredTime }) : {}),
    lastError: result.error,
  };
}

/** Consecutive failures: an accepted call resets the count. */
function attemptsOf(before: WebhookRecord | undefined, wanted: WantedCall): number {
  const goesOn = before !== undefined && isFor(before, wanted) && !isAccepted(before);
  return goesOn ? before.attempts + 1 : 1;
}

/** One key for each request, however often it is repeated. */
export function idempotencyKey(uid: string, action: WebhookAction, configVersion: string): string {
  return `${uid}-${action}-${inHeader(configVersion)}`;
}

/** A version in the spec may be any text; a header may not. */
function inHeader(text: string): string {
  return /^[\w.:+=-]{1,128}$/.test(text) ? text : fingerprint(text);
}

export interface Payload {
  readonly metadata: unknown;
  readonly spec: unknown;
  readonly status?: object | undefined;
}

/**
 * The whole order, as the original operator sends it: AAP's role reads the spec, and returns
 * `status.desiredConfigVersion` in the annotation.
 */
export function payload(order: Payload, desired: string): string {
  return JSON.stringify({
    ...order,
    apiVersion: `${group}/${version}`,
    kind,
    status: { ...order.status, desiredConfigVersion: desired },
  });
}
