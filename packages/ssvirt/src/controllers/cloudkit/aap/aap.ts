/**
 * Calls AAP to provision an order, or to delete what AAP has created for it. Every call is recorded twice. The first
 * record is written before the call: if the process ends in between, the next one knows that AAP may be at work and
 * keeps the intervals. The second is written when the outcome is known. Repeated calls for the same request use the
 * same idempotency key.
 */
import { defined } from '@ssvirt/base/values/defined';
import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '@ssvirt/base/config/keys';
import { BoundedMap } from '@ssvirt/kube/bounded-map';
import {
  idempotencyKey,
  isAccepted,
  nextCall,
  payload,
  recorded,
  type AapTimes,
  type CallResult,
  type WantedCall,
} from '../../../kubevirt/order/aap/webhook.ts';
import type { OrderProblem, WebhookRecord } from '../../../kubevirt/order/resource.ts';
import { configVersion as configVersionOf } from '../../../kubevirt/order/config-version.ts';
import type { Order, OrderStatus } from '../operator/order-types.ts';
import type { CallOutcome } from '../operator/metrics.ts';
import { WebhookClient } from './webhook-client.ts';
import { WebhookError, type WebhookFailure } from './webhook-error.ts';

/** `Aap` is the operator's view of AAP. */
export interface Aap {
  readonly client: Pick<WebhookClient, 'post'>;
  readonly urls: { readonly create?: URL | undefined; readonly delete?: URL | undefined };
  readonly times: AapTimes;
  /** The number of running calls and its limit. */
  readonly calling: { now: number; readonly most: number };
  /**
   * Outcomes that could not be recorded because of a write conflict on the order, by uid. The next reconcile records
   * them.
   */
  readonly unwritten: BoundedMap<string, WebhookRecord>;
  readonly called: (action: WantedCall['action'], outcome: CallOutcome, seconds: number) => void;
}

/** What a reconcile of one order needs to call AAP. */
export interface AapWork {
  readonly aap: Aap;
  readonly journal: {
    /** The order as the server has it. */
    readonly order: Order;
    status(some: Pick<OrderStatus, 'webhook'>): Promise<void>;
  };
  /** Throws if AAP must not be called. Runs right before each call. */
  readonly refuse: (action: WantedCall['action']) => Promise<void>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** `requeueAfterMs` is when AAP is called next, unless it has finished by then. */
export type AapOutcome =
  /** Waits for the minimum interval before the first call. */
  | { readonly state: 'waiting'; readonly requeueAfterMs: number }
  | { readonly state: 'accepted'; readonly requeueAfterMs: number }
  | { readonly state: 'failing'; readonly problem: OrderProblem; readonly requeueAfterMs: number }
  | { readonly state: 'unconfigured'; readonly problem: OrderProblem };

const remembered = 20_000;

/**
 * The delay after which a call that found all slots taken is tried again. Jitter extends it to at most twice that, so
 * that retries do not come at once.
 */
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
      ...defined({ tokenFile, caFile }),
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
    // An AAP that does not answer blocks the workers that wait for it. Half of them stay free for orders that need no
    // AAP.
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

/** Records the outcome of the last call if its own reconcile could not. */
async function writeLast({ aap: { unwritten }, journal }: AapWork, uid: string): Promise<void> {
  const last = unwritten.get(uid);
  if (last === undefined) return;
  // Another leader may have called since.
  const known = journal.order.status?.webhook?.lastAttemptTime ?? '';
  if (last.lastAttemptTime >= known) await journal.status({ webhook: last });
  unwritten.delete(uid);
}

async function call(work: AapWork, { action, configVersion }: WantedCall, url: URL, uid: string): Promise<void> {
  const { aap, journal, log, signal } = work;
  const { order } = journal;
  const wanted: WantedCall = { action, configVersion, ...specVersionOf(order, configVersion) };
  const before = order.status?.webhook;
  const ahead: CallResult = { error: 'AAP was called and has not answered yet', unanswered: true };
  await journal.status({ webhook: recorded(before, wanted, ahead, Date.now()) });
  const headers = { 'idempotency-key': idempotencyKey(uid, action, configVersion) };
  const start = performance.now();
  const failure = await aap.client
    .post(url, bodyOf({ ...journal.order, spec: order.spec }, wanted), headers, signal)
    .then(() => undefined, webhookError);
  // The process ends. The record from before the call already contains all that is known.
  if (failure?.kind === 'Aborted') throw failure;
  aap.called(action, countedAs(failure), (performance.now() - start) / 1000);
  const { name, namespace } = order.metadata;
  const fields = { order: name, namespace, action, configVersion };
  if (failure === undefined) log.info(fields, 'AAP was asked');
  else log.warn({ ...fields, kind: failure.kind, detail: failure.message }, 'AAP call failed');
  aap.unwritten.set(uid, recorded(before, wanted, resultOf(failure), Date.now()));
  await writeLast(work, uid);
}

function specVersionOf({ spec }: Order, sent: string): Pick<WantedCall, 'specVersion'> {
  const computed = configVersionOf(spec);
  return computed === sent ? {} : { specVersion: computed };
}

function bodyOf(order: Order, { configVersion }: WantedCall): string {
  // `managedFields` is bookkeeping of the API server and often longer than everything else.
  const { managedFields: _, ...metadata } = order.metadata;
  return payload({ ...order, metadata }, configVersion);
}

function webhookError(error: unknown): WebhookError {
  if (error instanceof WebhookError) return error;
  throw error;
}

/** AAP may have received the call nevertheless. */
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

/** Derives the outcome from the record, whether this reconcile made the call or an earlier one. */
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
  const message = `${lastError}; ${attempts === 1 ? 'it was called once' : `it was asked ${attempts} times`}, and is called again automatically`;
  return { state: 'failing', problem: { reason: 'WebhookFailed', message }, requeueAfterMs };
}

function notConfigured(action: WantedCall['action']): OrderProblem {
  const message =
    action === 'create'
      ? 'AAP is to provision this order, and cloudkit.aap.createUrl is not set: set it, or set the annotation cloudkit.openshift.io/managed-by to controller'
      : 'AAP is to delete the objects that it created for this order, and cloudkit.aap.deleteUrl is not set: set it, or remove the finalizer of AAP from the order: then this operator deletes the objects that it finds, but nothing that AAP has outside this cluster';
  return { reason: 'WebhookNotConfigured', message };
}

/** A number from 0 to 1 that is constant per order: an early reconcile does not draw a new jitter. */
function jitterOf(uid: string): number {
  return createHash('sha256').update(uid).digest().readUInt32BE() / 2 ** 32;
}
