/**
 * `Applier` applies a controller's children with server-side apply: with one field manager, with force, only the fields
 * that are ours, and only when something differs. An apply is skipped
 *   - when it is remembered: the same desired state was applied last, and the child has not changed since; or
 *   - when the child proves it: an annotation has the hash of the desired state, and managedFields show that all of it is
 *     still ours. This holds after a restart, and when others (KubeVirt with each status) have changed other parts of
 *     the child.
 */
import { defined } from '@ssvirt/base/values/defined';
import { createHash } from 'node:crypto';
import { Backoff } from '../backoff.ts';
import { BoundedMap } from '../bounded-map.ts';
import type { Client, RequestOptions } from '../client/client.ts';
import { sleep, systemClock, type Clock } from '../clock.ts';
import { KubeError, isConflict } from '../errors.ts';
import { keyOf, keyOfObject, type KubeObject } from '../object.ts';
import { resourceName, type ResourceType } from '../resource-type.ts';
import { ownEntries, ownEntriesAnnotation, withForeignEntries, type AtomicList } from './atomic-lists.ts';
import { find } from './create-or-patch.ts';
import { isDeleting } from './finalizers.ts';
import { ownsAll } from './managed-fields.ts';
import { isJsonObject, lockOn } from './merge-patch.ts';

export const appliedHashAnnotation = 'ssvirt.io/applied-hash';

export interface ApplierOptions {
  /** Must never change: fields that were applied under another name would stay behind. */
  readonly fieldManager: string;
  /** How many applies are remembered. The default is 10,000. */
  readonly remembered?: number;
  /** How often a write that conflicts is retried on the newer state. The default is 3. */
  readonly retries?: number;
  readonly clock?: Clock;
}

const conflictBackoff = { initialMs: 10, factor: 4, maxMs: 200, jitter: 1 };

export interface Child<T extends KubeObject> {
  readonly type: ResourceType<T>;
  /** The fields that are ours, with name and namespace. */
  readonly desired: KubeObject;
  /**
   * The object from the cache (with the projection `childOf`), read before `desired` was computed. If undefined, the
   * server is asked first.
   */
  readonly live: T | undefined;
  /** Lists that have no type in the schema; see atomic-lists.ts. */
  readonly atomicLists?: readonly AtomicList[];
  /**
   * `live` is a projection that lacks those lists: the complete object is read before a write. A projection must keep
   * the annotations, and should keep `ownManagedFields`; see managed-fields.ts.
   */
  readonly projected?: boolean;
  /** Whether an existing object may be taken over. By default any may. */
  readonly mayTake?: (live: T) => boolean;
}

export interface Applied<T> {
  readonly object: T;
  /** A child that is being deleted is left alone and created again once it is gone. */
  readonly outcome: 'applied' | 'unchanged' | 'deleting';
}

/** `NotOurs`: an object that is not ours has the name of the child. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

interface Remembered {
  readonly uid: string | undefined;
  readonly hash: string;
  readonly resourceVersion: string | undefined;
}

/** One per controller. The client is passed with each call: the leader's is bound to its term. */
export class Applier {
  readonly #options: ApplierOptions;
  readonly #applied: BoundedMap<string, Remembered>;

  constructor(options: ApplierOptions) {
    this.#options = options;
    this.#applied = new BoundedMap(options.remembered ?? 10_000);
  }

  async apply<T extends KubeObject>(
    client: Client,
    child: Child<T>,
    options: RequestOptions = {},
  ): Promise<Applied<T>> {
    const prepared = preparedChild(child.desired, child.atomicLists);
    let live = await this.#firstSight(client, child, prepared, options);
    const backoff = new Backoff(conflictBackoff);
    for (;;) {
      const done = this.#nothingToDo(client, child, prepared, live);
      if (done !== undefined) return done;
      try {
        return await this.#write(client, child, prepared, live, options);
      } catch (error) {
        if (!isConflict(error) || backoff.attempts >= (this.#options.retries ?? 3)) throw error;
        await sleep(this.#options.clock ?? systemClock, backoff.take(), options.signal);
        live = await reread(client, child, prepared, options, error);
      }
    }
  }

  async #firstSight<T extends KubeObject>(
    client: Client,
    child: Child<T>,
    prepared: PreparedChild,
    options: RequestOptions,
  ): Promise<T | undefined> {
    const { live, type, projected = false } = child;
    if (live !== undefined && (!projected || this.#isApplied(client, type, prepared, live))) return live;
    // An apply that creates an object cannot be conditional on its absence, so the server is asked, not only the cache.
    return reread(client, child, prepared, options);
  }

  #nothingToDo<T extends KubeObject>(
    client: Client,
    child: Child<T>,
    prepared: PreparedChild,
    live: T | undefined,
  ): Applied<T> | undefined {
    if (live === undefined) return undefined;
    if (isDeleting(live)) return { object: live, outcome: 'deleting' };
    if (child.mayTake?.(live) === false)
      throw new NotOurs(
        `cannot apply ${child.type.kind} "${keyOf(live.metadata)}": an object of this name exists and is not ours`,
      );
    return this.#isApplied(client, child.type, prepared, live) ? { object: live, outcome: 'unchanged' } : undefined;
  }

  #isApplied({ cluster }: Client, type: ResourceType<KubeObject>, prepared: PreparedChild, live: KubeObject): boolean {
    const { uid, resourceVersion } = live.metadata;
    const last = this.#applied.get(memoryKey(cluster, type, live));
    if (last?.hash === prepared.hash && last.uid === uid && last.resourceVersion === resourceVersion) return true;
    return appliedHash(live) === prepared.hash && ownsAll(live, prepared.body, this.#options.fieldManager);
  }

  async #write<T extends KubeObject>(
    client: Client,
    { type, atomicLists = [] }: Child<T>,
    prepared: PreparedChild,
    live: T | undefined,
    options: RequestOptions,
  ): Promise<Applied<T>> {
    const { fieldManager } = this.#options;
    const body = withForeignEntries(prepared.body, live, atomicLists);
    // Without the uid, an apply would recreate what was just deleted; without the resourceVersion, it would overwrite
    // changes not seen yet.
    const locked = live === undefined ? body : { ...body, metadata: { ...body.metadata, ...lockOn(live) } };
    const object = await client.apply(type, locked, { ...options, fieldManager, force: true });
    const { uid, resourceVersion } = object.metadata;
    this.#applied.set(memoryKey(client.cluster, type, object), { uid, hash: prepared.hash, resourceVersion });
    return { object, outcome: 'applied' };
  }
}

/**
 * The current object from the server. It is used only when it is the same object and nothing was applied since:
 * otherwise `desired` may be older than the object (another leader's, or a new one), and the reconciler must read the
 * state again.
 */
async function reread<T extends KubeObject>(
  client: Client,
  child: Child<T>,
  prepared: PreparedChild,
  options: RequestOptions,
  cause?: unknown,
): Promise<T | undefined> {
  const { type, desired, live } = child;
  const found = await find(client, type, keyOfObject(desired), { ...options, beforeMaking: live === undefined });
  const unseen = live === undefined && found !== undefined;
  if (unseen && (child.mayTake?.(found) === false || appliedHash(found) === prepared.hash)) return found;
  const same = unseen || found?.metadata.uid === live?.metadata.uid;
  if (same && appliedHash(found) === appliedHash(live)) return found;
  const what = `${type.kind} "${keyOf(desired.metadata)}"`;
  const details = { code: 409, ...defined({ cause }) };
  throw new KubeError('Conflict', `cannot apply ${what}: it changed since it was read`, details);
}

/** The desired state as it is sent: with its hash and the names of its entries. */
interface PreparedChild {
  readonly hash: string;
  readonly body: KubeObject;
}

function preparedChild(desired: KubeObject, atomicLists: readonly AtomicList[] = []): PreparedChild {
  const { uid: _uid, resourceVersion: _resourceVersion, managedFields: _managedFields, ...metadata } = desired.metadata;
  const entries = ownEntries(desired, atomicLists);
  const hash = hashOf([{ ...desired, metadata }, entries]);
  const annotations = {
    ...metadata.annotations,
    [appliedHashAnnotation]: hash,
    ...defined({ [ownEntriesAnnotation]: entries }),
  };
  return { hash, body: { ...desired, metadata: { ...metadata, annotations } } };
}

/** Equal for equal values, whatever the order of their fields. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortedFields)).digest('base64url').slice(0, 22);
}

function sortedFields(_field: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
}

function appliedHash(object: KubeObject | undefined): string | undefined {
  return object?.metadata.annotations?.[appliedHashAnnotation];
}

function memoryKey(cluster: string, type: ResourceType<KubeObject>, { metadata }: KubeObject): string {
  return `${cluster} ${resourceName(type)} ${keyOf(metadata)}`;
}
