/**
 * The common shape of reconcilers: get; success if the object is gone; paused; deleting; finalizer before the first
 * child; steps in order; conditions once; one status patch at the end, also when a step fails, so that the object shows
 * what is wrong.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '../client/client.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { ReconcileContext, Result } from '../controller/request.ts';
import { KubeError, isConflict, isKind } from '../errors.ts';
import { LeadershipLost } from '../leader-election/term.ts';
import type { ResourceType } from '../resource-type.ts';
import { Conditions, type Condition } from './conditions.ts';
import type { Removal } from './delete-in-order.ts';
import { addFinalizer, hasFinalizer, isDeleting, removeFinalizer } from './finalizers.ts';
import { patchStatus, type WithStatus } from './status-patch.ts';

export interface ShapedStatus {
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
}

export type Shaped = WithStatus<ShapedStatus>;

export type StatusOf<T extends Shaped> = NonNullable<T['status']>;

/** `Round` is what a step works with. */
export interface Round<T extends Shaped> {
  /** The object as it was read, with our finalizer. */
  readonly object: T;
  readonly conditions: Conditions;
  readonly signal: AbortSignal;
  readonly context: ReconcileContext;
  /** Sets fields of the status other than conditions and observedGeneration; later calls win. */
  readonly report: (status: Partial<StatusOf<T>>) => void;
}

/** A step that is not done ends the round, because later steps build on it. */
export interface Unfinished {
  /** The reason of the condition Ready, in CamelCase. */
  readonly reason: string;
  readonly message: string;
  /** Reconcile again after this time; a change of what the step waits for wakes the reconciler anyway. */
  readonly requeueAfterMs?: number;
}

export interface Step<T extends Shaped> {
  readonly name: string;
  run(round: Round<T>): Promise<Unfinished | void>;
}

export interface ReconcileShape<T extends Shaped> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  /** Usually reads from the cache. */
  get(): T | undefined | Promise<T | undefined>;
  /** Returns why the object is paused, if it is. Deletion waits too: a paused object is not touched. */
  paused?(object: T): string | undefined;
  /** Required when there is something to remove. */
  readonly finalizer?: string;
  /** Removes what the steps have created. Called until it is done; then the finalizer is removed. */
  remove?(round: Round<T>): Promise<Removal>;
  /** Reports a deletion that is not finished; the default is Ready=False. */
  deleting?(conditions: Conditions, why: { readonly reason: string; readonly message: string }): void;
  readonly steps: readonly Step<T>[];
  /** Reconcile again after this time when everything succeeded. */
  readonly requeueAfterMs?: number;
  /** A final adjustment of the status before it is written, for example a time that changes only with the rest. */
  finish?(object: T, status: StatusOf<T>): StatusOf<T>;
  readonly clock?: Clock;
}

export async function reconcileObject<T extends Shaped>(
  shape: ReconcileShape<T>,
  context: ReconcileContext,
): Promise<Result | void> {
  const found = await shape.get();
  if (found === undefined) return undefined;
  const pause = shape.paused?.(found);
  if (pause !== undefined) return inRound(shape, context, found, (round) => Promise.resolve(setPaused(round, pause)));
  if (isDeleting(found)) return removeObject(shape, context, found);
  const { client, type, finalizer } = shape;
  const object =
    finalizer === undefined ? found : await addFinalizer(client, type, found, finalizer, { signal: context.signal });
  return inRound(shape, context, object, (round) => takeSteps(shape, round));
}

interface End {
  readonly result?: Result;
  /** The object is gone: there is no status to write. */
  readonly gone?: boolean;
}

async function removeObject<T extends Shaped>(
  shape: ReconcileShape<T>,
  context: ReconcileContext,
  object: T,
): Promise<Result | void> {
  const { client, type, finalizer } = shape;
  if (finalizer === undefined || !hasFinalizer(object, finalizer)) return undefined;
  return inRound(shape, context, object, async (round) => {
    dropPaused(round);
    const removal = (await shape.remove?.(round)) ?? { done: true };
    if (!removal.done) return waitFor(shape, round, removal);
    await removeFinalizer(client, type, object, finalizer, { signal: context.signal });
    return { gone: true };
  });
}

function whatIsLeft(waitingFor: string, left: readonly string[]): string {
  return `waiting for ${waitingFor} to be gone: ${left.join(', ')}`;
}

/** Events wake a waiting reconciler; this covers events that another component fails to send. */
const waitMs = 60_000;

function waitFor<T extends Shaped>(
  shape: ReconcileShape<T>,
  { conditions }: Round<T>,
  { waitingFor, left, reason = 'Deleting', message = whatIsLeft(waitingFor, left) }: Removal & { done: false },
): End {
  if (shape.deleting === undefined) conditions.set('Ready', 'False', reason, message);
  else shape.deleting(conditions, { reason, message });
  return { result: { requeueAfterMs: waitMs } };
}

function setPaused<T extends Shaped>({ conditions, object, report }: Round<T>, why: string): End {
  conditions.set('Paused', 'True', 'Paused', why);
  // Nothing was done about the new spec.
  report({ observedGeneration: object.status?.observedGeneration } as Partial<StatusOf<T>>);
  return {};
}

function dropPaused<T extends Shaped>({ conditions }: Round<T>): void {
  if (conditions.get('Paused') !== undefined) conditions.drop('Paused');
}

async function takeSteps<T extends Shaped>(shape: ReconcileShape<T>, round: Round<T>): Promise<End> {
  const { conditions } = round;
  dropPaused(round);
  for (const step of shape.steps) {
    const unfinished = await step.run(round);
    if (unfinished === undefined) continue;
    const { reason, message, requeueAfterMs } = unfinished;
    conditions.set('Ready', 'False', reason, message);
    return requeueAfterMs === undefined ? {} : { result: { requeueAfterMs } };
  }
  if (!conditions.has('Ready')) conditions.set('Ready', 'True', 'Reconciled');
  return shape.requeueAfterMs === undefined ? {} : { result: { requeueAfterMs: shape.requeueAfterMs } };
}

/** Does the work, then writes the status once, whatever the outcome. */
async function inRound<T extends Shaped>(
  shape: ReconcileShape<T>,
  context: ReconcileContext,
  object: T,
  work: (round: Round<T>) => Promise<End>,
): Promise<Result | void> {
  const { signal } = context;
  const { generation } = object.metadata;
  const conditions = new Conditions(object.status?.conditions, {
    date: (shape.clock ?? systemClock).date(),
    generation,
  });
  let status: object = { ...object.status, ...defined({ observedGeneration: generation }) };
  const report = (more: object): void => void (status = { ...status, ...more });
  const write = async (): Promise<void> => {
    const wanted = { ...status, conditions: conditions.list() } as StatusOf<T>;
    const last = shape.finish?.(object, wanted) ?? wanted;
    await patchStatus(shape.client, shape.type, object, last, { signal });
  };

  let end: End;
  try {
    end = await work({ object, conditions, signal, context, report });
  } catch (error) {
    if (isWorthSaying(error, signal)) {
      conditions.set('Ready', 'False', reasonOf(error), error instanceof Error ? error.message : String(error));
      await write().catch((second: unknown) => {
        // An unreachable cluster is logged once, by the code that logs the failure itself.
        const level = isSameTrouble(error, second) ? 'debug' : 'warn';
        context.log[level]({ err: second }, 'cannot write failure status');
      });
    }
    throw error;
  }
  if (end.gone !== true) await write();
  return end.result;
}

/**
 * Excludes what a retry fixes at once, and what concerns this process and not the object: the status stays as it is.
 */
function isWorthSaying(error: unknown, signal: AbortSignal): boolean {
  return !signal.aborted && !isConflict(error) && !(error instanceof LeadershipLost);
}

function isSameTrouble(first: unknown, second: unknown): boolean {
  return first instanceof KubeError && isKind(second, first.kind);
}

function reasonOf(error: unknown): string {
  if (error instanceof KubeError) return error.kind;
  return error instanceof Error && error.name !== 'Error' && /^[A-Za-z]+$/.test(error.name)
    ? error.name
    : 'ReconcileFailed';
}
