/**
 * The one shape of every reconciler: get; gone is success; paused; deleting; finalizer before the first child; steps in order; conditions once;
 * one status patch at the end, also when a step fails, so that the object says what is wrong with it.
 */
import type { Client } from '../client/client.ts';
import { systemClock, type Clock } from '../clock.ts';
import type { ReconcileContext, Result } from '../controller/request.ts';
import { ApiError, isConflict, isKind } from '../errors.ts';
import { LeadershipLost } from '../leader/term.ts';
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

/** What a step works with. */
export interface Round<T extends Shaped> {
  /** As it was read, with our finalizer. */
  readonly object: T;
  readonly conditions: Conditions;
  readonly signal: AbortSignal;
  readonly context: ReconcileContext;
  /** What the status shall say besides conditions and observedGeneration; later words win. */
  readonly report: (status: Partial<StatusOf<T>>) => void;
}

/** A step that is not done yet ends the round: the steps behind it build on it. */
export interface Unfinished {
  /** For the condition Ready: CamelCase. */
  readonly reason: string;
  readonly message: string;
  /** Look again after this time; a change of what is waited for wakes the reconciler anyway. */
  readonly requeueAfterMs?: number;
}

export interface Step<T extends Shaped> {
  readonly name: string;
  run(round: Round<T>): Promise<Unfinished | void>;
}

export interface ReconcileShape<T extends Shaped> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  /** Out of the cache, as a rule. */
  get(): T | undefined | Promise<T | undefined>;
  /** Why nothing shall be done, if so. Deletion waits too: whoever pauses wants nothing touched. */
  paused?(object: T): string | undefined;
  /** Needed where there is something to remove. */
  readonly finalizer?: string;
  /** Takes away what the steps have made. Called until it is done; the finalizer goes last. */
  remove?(round: Round<T>): Promise<Removal>;
  readonly steps: readonly Step<T>[];
  /** Look again after this time when all is well. */
  readonly requeueAfterMs?: number;
  /** The last word on the status before it is written: a time that moves only with the rest, say. */
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
  /** There is nothing left that could bear a status. */
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
    const removal = (await shape.remove?.(round)) ?? { done: true };
    if (!removal.done) return waitFor(round, removal);
    await removeFinalizer(client, type, object, finalizer, { signal: context.signal });
    return { gone: true };
  });
}

/** Events wake a reconciler that waits; this is for an event that somebody else fails to send. */
const waitMs = 60_000;

function waitFor<T extends Shaped>({ conditions }: Round<T>, removal: Removal & { done: false }): End {
  const { waitingFor, left, reason = 'Deleting' } = removal;
  const message = removal.message ?? `waiting for ${waitingFor} to be gone: ${left.join(', ')}`;
  conditions.set('Ready', 'False', reason, message);
  return { result: { requeueAfterMs: waitMs } };
}

function setPaused<T extends Shaped>({ conditions, object, report }: Round<T>, why: string): End {
  conditions.set('Paused', 'True', 'Paused', why);
  // Nothing was done about what it asks for now.
  report({ observedGeneration: object.status?.observedGeneration } as Partial<StatusOf<T>>);
  return {};
}

async function takeSteps<T extends Shaped>(shape: ReconcileShape<T>, round: Round<T>): Promise<End> {
  const { conditions } = round;
  if (conditions.get('Paused') !== undefined) conditions.drop('Paused');
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

/** Does the work, then writes down what came of it: once, whatever happened. */
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
  let status: object = { ...object.status, ...(generation === undefined ? {} : { observedGeneration: generation }) };
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
        // A cluster that is away is told of once, by whoever logs the failure itself.
        const level = isSameTrouble(error, second) ? 'debug' : 'warn';
        context.log[level]({ err: second }, 'cannot write failure status');
      });
    }
    throw error;
  }
  if (end.gone !== true) await write();
  return end.result;
}

/** Not what trying again mends at once, nor what befell us and not the object: then its status stays as it is. */
function isWorthSaying(error: unknown, signal: AbortSignal): boolean {
  return !signal.aborted && !isConflict(error) && !(error instanceof LeadershipLost);
}

function isSameTrouble(first: unknown, second: unknown): boolean {
  return first instanceof ApiError && isKind(second, first.kind);
}

function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.kind;
  return error instanceof Error && error.name !== 'Error' && /^[A-Za-z]+$/.test(error.name)
    ? error.name
    : 'ReconcileFailed';
}
