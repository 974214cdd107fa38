/**
 * Asks AAP to provision an order, or to delete what it has made of one. Every call is written down twice: before it is made, so that a process that ends in between
 * neither forgets that AAP may be at work nor hurries after its restart, and when its outcome is known. The same thing is always asked for by the same key.
 */
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../../config/keys.ts';
import { BoundedMap } from '../../kube/bounded-map.ts';
import {
  idempotencyKey,
  isAccepted,
  nextCall,
  payload,
  recorded,
  type AapTimes,
  type CallResult,
  type WantedCall,
} from '../../virt/order/webhook.ts';
import type { Problem, WebhookRecord } from '../../virt/order/resource.ts';
import { configVersion as configVersionOf } from '../../virt/order/config-version.ts';
import type { Order, OrderStatus } from './kinds.ts';
import type { CallOutcome } from './metrics.ts';
import { WebhookClient } from './webhook-client.ts';
import { WebhookError, type WebhookFailure } from './webhook-error.ts';

/** AAP as the operator knows it. */
export interface Aap {
  readonly client: Pick<WebhookClient, 'post'>;
  readonly urls: { readonly create?: URL | undefined; readonly delete?: URL | undefined };
  readonly times: AapTimes;
  /** How many calls are under way, of how many at most. */
  readonly calling: { now: number; readonly most: number };
  /** Outcomes that could not be written down, because another wrote to the order first: the next round does it. By uid. */
  readonly unwritten: BoundedMap<string, WebhookRecord>;
  readonly called: (action: WantedCall['action'], outcome: CallOutcome, seconds: number) => void;
}

/** What is needed of a round's work on one order. */
export interface AapWork {
  readonly aap: Aap;
  readonly journal: {
    /** As the server has it. */
    readonly order: Order;
    status(some: Pick<OrderStatus, 'webhook'>): Promise<void>;
  };
  /** Throws where AAP must not be called; asked right before each call. */
  readonly refuse: (action: WantedCall['action']) => Promise<void>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** `requeueAfterMs`: when AAP is to be asked next, unless it has done its work by then. */
export type AapOutcome =
  /** For the minimum interval, before the first call. */
  | { readonly state: 'waiting'; readonly requeueAfterMs: number }
  | { readonly state: 'accepted'; readonly requeueAfterMs: number }
  | { readonly state: 'failing'; readonly problem: Problem; readonly requeueAfterMs: number }
  | { readonly state: 'unconfigured'; readonly problem: Problem };

const remembered = 20_000;

/** When a call that has found no room is tried again; up to twice that, so that many do not come at once. */
const crowdedMs = 1000;

export function createAap(
  { aap: config, maxConcurrentReconciles }: Pick<Config['cloudkit'], 'aap' | 'maxConcurrentReconciles'>,
  log: Logger,
  called: Aap['called'],
): Aap {
  const { createUrl, deleteUrl, timeout, tokenFile, caFile, insecureSkipVerify } = config;
  const client = new WebhookClient(
    {
      timeoutMs: timeout,
      insecureSkipVerify,
      ...(tokenFile === undefined ? {} : { tokenFile }),
      ...(caFile === undefined ? {} : { caFile }),
    },
    log,
  );
  const times: AapTimes = {
    minimumIntervalMs: config.minimumInterval,
    retryInitialMs: config.retryInitial,
    retryLongestMs: config.retryLongest,
    repeatAfterMs: config.repeatAfter,
    quietPeriodMs: config.quietPeriod,
  };
  return {
    client,
    urls: { create: createUrl, delete: deleteUrl },
    times,
    // An AAP that does not answer holds up who waits for it: the others work for orders that need no AAP.
    calling: { now: 0, most: Math.max(1, Math.floor(maxConcurrentReconciles / 2)) },
    unwritten: new BoundedMap(remembered),
    called,
  };
}

export function askAap(work: AapWork, desired: string): Promise<AapOutcome> {
  return ask(work, { action: 'create', configVersion: desired });
}

export function askAapToDelete(work: AapWork, desired: string): Promise<AapOutcome> {
  return ask(work, { action: 'delete', configVersion: desired });
}

async function ask(work: AapWork, wanted: WantedCall): Promise<AapOutcome> {
  const { aap, journal } = work;
  const url = aap.urls[wanted.action];
  if (url === undefined) return { state: 'unconfigured', problem: notConfigured(wanted.action) };
  const { uid = '' } = journal.order.metadata;
  await writeLast(work, uid);
  const jitter = jitterOf(uid);
  const due = nextCall(journal.order.status?.webhook, wanted, aap.times, Date.now(), jitter);
  if ('call' in due && !(await callIfRoom(work, wanted, url, uid)))
    return {
      ...outcome(journal.order.status?.webhook, wanted, aap.times, jitter),
      requeueAfterMs: Math.ceil(crowdedMs * (1 + jitter)),
    };
  return outcome(journal.order.status?.webhook, wanted, aap.times, jitter);
}

async function callIfRoom(work: AapWork, wanted: WantedCall, url: URL, uid: string): Promise<boolean> {
  const { calling } = work.aap;
  if (calling.now >= calling.most) return false;
  calling.now += 1;
  try {
    await work.refuse(wanted.action);
    await call(work, wanted, url, uid);
    return true;
  } finally {
    calling.now -= 1;
  }
}

/** What came of the last call, where that could not be written in its own round. */
async function writeLast({ aap: { unwritten }, journal }: AapWork, uid: string): Promise<void> {
  const last = unwritten.get(uid);
  if (last === undefined) return;
  // Another who led meanwhile may have called since.
  const known = journal.order.status?.webhook?.lastAttemptTime ?? '';
  if (last.lastAttemptTime >= known) await journal.status({ webhook: last });
  unwritten.delete(uid);
}

async function call(work: AapWork, { action, configVersion }: WantedCall, url: URL, uid: string): Promise<void> {
  const { aap, journal, log, signal } = work;
  const { order } = journal;
  const wanted: WantedCall = { action, configVersion, ...specVersionOf(order, configVersion) };
  const before = order.status?.webhook;
  const ahead: CallResult = { error: 'AAP was asked, and has not answered yet', unanswered: true };
  await journal.status({ webhook: recorded(before, wanted, ahead, Date.now()) });
  const headers = { 'idempotency-key': idempotencyKey(uid, action, configVersion) };
  const start = performance.now();
  const failure = await aap.client
    .post(url, bodyOf({ ...journal.order, spec: order.spec }, wanted), headers, signal)
    .then(() => undefined, told);
  // The process ends: what was written ahead says all that is known.
  if (failure?.kind === 'Aborted') throw failure;
  aap.called(action, countedAs(failure), (performance.now() - start) / 1000);
  const { name, namespace } = order.metadata;
  const fields = { order: name, namespace, action, configVersion };
  if (failure === undefined) log.info(fields, 'AAP was asked');
  else log.warn({ ...fields, kind: failure.kind }, failure.message);
  aap.unwritten.set(uid, recorded(before, wanted, resultOf(failure), Date.now()));
  await writeLast(work, uid);
}

function specVersionOf({ spec }: Order, sent: string): Pick<WantedCall, 'specVersion'> {
  const computed = configVersionOf(spec);
  return computed === sent ? {} : { specVersion: computed };
}

function bodyOf(order: Order, { configVersion }: WantedCall): string {
  // Bookkeeping of the API server, often longer than all the rest.
  const { managedFields: _, ...metadata } = order.metadata;
  return payload({ ...order, metadata }, configVersion);
}

function told(error: unknown): WebhookError {
  if (error instanceof WebhookError) return error;
  throw error;
}

/** It may have arrived all the same. */
const unanswered: ReadonlySet<WebhookFailure> = new Set(['Timeout', 'Broken']);
const silent: ReadonlySet<WebhookFailure> = new Set(['Timeout', 'Broken', 'Unreachable', 'NotTrusted', 'Settings']);

function resultOf(failure: WebhookError | undefined): CallResult {
  if (failure === undefined) return { accepted: true };
  return { error: failure.message, unanswered: unanswered.has(failure.kind) };
}

function countedAs(failure: WebhookError | undefined): CallOutcome {
  if (failure === undefined) return 'accepted';
  return silent.has(failure.kind) ? 'unreachable' : 'failed';
}

/** Out of what is written down, whether the call was made in this round or before. */
function outcome(
  record: WebhookRecord | undefined,
  wanted: WantedCall,
  times: AapTimes,
  jitter: number,
): Exclude<AapOutcome, { readonly state: 'unconfigured' }> {
  const due = nextCall(record, wanted, times, Date.now(), jitter);
  const requeueAfterMs = 'call' in due ? 1 : Math.ceil(due.afterMs);
  if (record?.action !== wanted.action || record.configVersion !== wanted.configVersion)
    return { state: 'waiting', requeueAfterMs };
  if (isAccepted(record)) return { state: 'accepted', requeueAfterMs };
  const { attempts, lastError = '' } = record;
  const message = `${lastError}; ${attempts === 1 ? 'it was asked once' : `it was asked ${attempts} times`}, and is asked again by itself`;
  return { state: 'failing', problem: { reason: 'WebhookFailed', message }, requeueAfterMs };
}

function notConfigured(action: WantedCall['action']): Problem {
  const message =
    action === 'create'
      ? 'AAP is to provision this order, and cloudkit.aap.createUrl is not set: set it, or set the annotation cloudkit.openshift.io/managed-by to controller'
      : 'AAP is to delete what it has made of this order, and cloudkit.aap.deleteUrl is not set: set it, or remove the finalizer of AAP from the order: then this operator deletes the objects that it finds, but nothing that AAP has outside this cluster';
  return { reason: 'WebhookNotConfigured', message };
}

/** From 0 to 1, the same for one order each time: a round that comes early does not throw the dice again. */
function jitterOf(uid: string): number {
  return createHash('sha256').update(uid).digest().readUInt32BE() / 2 ** 32;
}
