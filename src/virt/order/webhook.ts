/** When AAP is called, what is written down of it, and what it is told. Nothing of the payload is in a record: parameters hold cloud-init text and keys. */
import { fingerprint } from '../declared-machine/fingerprint.ts';
import { remaining } from './elapsed.ts';
import { group, kind, version, type WebhookRecord } from './resource.ts';

export type WebhookAction = WebhookRecord['action'];

export interface AapTimes {
  /** Between any two calls for one order. */
  readonly minimumIntervalMs: number;
  /** After the first failure; doubles with every further one. */
  readonly retryInitialMs: number;
  readonly retryLongestMs: number;
  /** After this long without a result an accepted call is made again. */
  readonly repeatAfterMs: number;
  /** For how long a job may run. */
  readonly quietPeriodMs: number;
}

export interface WantedCall {
  readonly action: WebhookAction;
  readonly configVersion: string;
  /** The computed version of the spec that is sent, where `configVersion` is another. */
  readonly specVersion?: string;
}

export type NextCall = { readonly call: true } | { readonly afterMs: number };

/** `unanswered`: it may have arrived all the same. */
export type CallResult = { readonly accepted: true } | { readonly error: string; readonly unanswered?: boolean };

/** `jitter`, from 0 to 1, takes up to a quarter off the time between failures, so that many orders do not come back at once. */
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
 * Only the last call counts. A spec that goes from A to B and back to A is asked for again though A was accepted before, and by the same key: AAP has run B in
 * between, so that what A has left is gone. Whoever drops calls by their key has to forget it at the next other one.
 */
function isFor({ action, configVersion }: WebhookRecord, wanted: WantedCall): boolean {
  return action === wanted.action && configVersion === wanted.configVersion;
}

/** The last call was taken. */
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
    // What was accepted may still be running, also where it was for another version.
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

/** In a row: an accepted one ends the row. */
function attemptsOf(before: WebhookRecord | undefined, wanted: WantedCall): number {
  const goesOn = before !== undefined && isFor(before, wanted) && !isAccepted(before);
  return goesOn ? before.attempts + 1 : 1;
}

/** One for each thing that is asked for, however often it is. */
export function idempotencyKey(uid: string, action: WebhookAction, configVersion: string): string {
  return `${uid}-${action}-${inHeader(configVersion)}`;
}

/** A version of the spec may be any text; a header may not. */
function inHeader(text: string): string {
  return /^[\w.:+=-]{1,128}$/.test(text) ? text : fingerprint(text);
}

export interface Payload {
  readonly metadata: unknown;
  readonly spec: unknown;
  readonly status?: object | undefined;
}

/** The whole order, as the origin sends it: AAP's role reads the spec, and gives `status.desiredConfigVersion` back in the annotation. */
export function payload(order: Payload, desired: string): string {
  return JSON.stringify({
    ...order,
    apiVersion: `${group}/${version}`,
    kind,
    status: { ...order.status, desiredConfigVersion: desired },
  });
}
