/**
 * Server-side apply of the objects that a controller makes: with one field manager, by force, only the fields that are ours, and only when something
 * differs. An apply is skipped
 *   - when we remember it: the same wish was applied last, and the child has not changed since; or
 *   - when the child shows it: an annotation bears the hash of the wish, and managedFields say that all of it is still ours. This holds after
 *     a restart, and when others (KubeVirt with each status) have changed the child elsewhere.
 */
import { createHash } from 'node:crypto';
import { Backoff } from '../backoff.ts';
import { BoundedMap } from '../bounded-map.ts';
import type { Client, RequestOptions } from '../client/client.ts';
import { sleep, systemClock, type Clock } from '../clock.ts';
import { ApiError, isConflict } from '../errors.ts';
import { keyOf, keyOfObject, type KubeObject } from '../object.ts';
import { resourceName, type ResourceType } from '../resource-type.ts';
import { ownEntries, ownEntriesAnnotation, withForeignEntries, type AtomicList } from './atomic-lists.ts';
import { find } from './create-or-patch.ts';
import { isDeleting } from './finalizers.ts';
import { ownsAll } from './managed-fields.ts';
import { isJsonObject, lockOn } from './merge-patch.ts';

export const appliedHashAnnotation = 'ssvirt.io/applied-hash';

export interface ApplierOptions {
  /** Never to be changed: fields that were applied under another name stay behind. */
  readonly fieldManager: string;
  /** How many applies are remembered; 10,000 unless said. */
  readonly remembered?: number;
  /** How often a write that somebody came before is tried again with what they wrote; 3 times unless said. */
  readonly retries?: number;
  readonly clock?: Clock;
}

const conflictBackoff = { initialMs: 10, factor: 4, maxMs: 200, jitter: 1 };

export interface Child<T extends KubeObject> {
  readonly type: ResourceType<T>;
  /** The fields that are ours, and name and namespace. */
  readonly desired: KubeObject;
  /** What the cache (with the projection `childOf`) has, read before `desired` was made. Undefined when there is none: then the server is asked first. */
  readonly live: T | undefined;
  /** The lists without a type in the schema; see atomic-lists.ts. */
  readonly atomicLists?: readonly AtomicList[];
  /**
   * `live` is a projection and lacks those lists: the whole object is read before it is written. A projection must keep the annotations, and does
   * well to keep `ownManagedFields`; see managed-fields.ts.
   */
  readonly projected?: boolean;
  /** Whether an object that is there already may be taken; any may unless said. */
  readonly mayTake?: (live: T) => boolean;
}

export interface Applied<T> {
  readonly object: T;
  /** A child that is being deleted is left alone: it is made anew when it is gone. */
  readonly outcome: 'applied' | 'unchanged' | 'deleting';
}

/** An object of somebody else stands where the child should. */
export class NotOurs extends Error {
  override readonly name = 'NotOurs';
}

interface Remembered {
  readonly uid: string | undefined;
  readonly hash: string;
  readonly resourceVersion: string | undefined;
}

/** One for each controller. The client comes with each call: the leader's is bound to its term. */
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
    const wish = wishOf(child.desired, child.atomicLists);
    let live = await this.#firstSight(client, child, wish, options);
    const backoff = new Backoff(conflictBackoff);
    for (;;) {
      const done = this.#nothingToDo(client, child, wish, live);
      if (done !== undefined) return done;
      try {
        return await this.#write(client, child, wish, live, options);
      } catch (error) {
        if (!isConflict(error) || backoff.attempts >= (this.#options.retries ?? 3)) throw error;
        await sleep(this.#options.clock ?? systemClock, backoff.take(), options.signal);
        live = await reread(client, child, wish, options, error);
      }
    }
  }

  async #firstSight<T extends KubeObject>(
    client: Client,
    child: Child<T>,
    wish: Wish,
    options: RequestOptions,
  ): Promise<T | undefined> {
    const { live, type, projected = false } = child;
    if (live !== undefined && (!projected || this.#isApplied(client, type, wish, live))) return live;
    // An apply that makes an object cannot say "only if there is none", so the server is asked, not only the cache.
    return reread(client, child, wish, options);
  }

  #nothingToDo<T extends KubeObject>(
    client: Client,
    child: Child<T>,
    wish: Wish,
    live: T | undefined,
  ): Applied<T> | undefined {
    if (live === undefined) return undefined;
    if (isDeleting(live)) return { object: live, outcome: 'deleting' };
    if (child.mayTake?.(live) === false)
      throw new NotOurs(`cannot apply ${child.type.kind} "${keyOf(live.metadata)}": there is one that is not ours`);
    return this.#isApplied(client, child.type, wish, live) ? { object: live, outcome: 'unchanged' } : undefined;
  }

  #isApplied({ cluster }: Client, type: ResourceType<KubeObject>, wish: Wish, live: KubeObject): boolean {
    const { uid, resourceVersion } = live.metadata;
    const last = this.#applied.get(memoryKey(cluster, type, live));
    if (last?.hash === wish.hash && last.uid === uid && last.resourceVersion === resourceVersion) return true;
    return appliedHash(live) === wish.hash && ownsAll(live, wish.body, this.#options.fieldManager);
  }

  async #write<T extends KubeObject>(
    client: Client,
    { type, atomicLists = [] }: Child<T>,
    wish: Wish,
    live: T | undefined,
    options: RequestOptions,
  ): Promise<Applied<T>> {
    const { fieldManager } = this.#options;
    const body = withForeignEntries(wish.body, live, atomicLists);
    // Without the uid, an apply makes anew what was just deleted; without the resourceVersion, it overwrites what we have not seen.
    const locked = live === undefined ? body : { ...body, metadata: { ...body.metadata, ...lockOn(live) } };
    const object = await client.apply(type, locked, { ...options, fieldManager, force: true });
    const { uid, resourceVersion } = object.metadata;
    this.#applied.set(memoryKey(client.cluster, type, object), { uid, hash: wish.hash, resourceVersion });
    return { object, outcome: 'applied' };
  }
}

/**
 * What is there now. It is used only when nobody has applied since, and it is the same object: else the wish may be older than what stands
 * there (another leader's, or a new object's), and the reconciler must look at the world again.
 */
async function reread<T extends KubeObject>(
  client: Client,
  child: Child<T>,
  wish: Wish,
  options: RequestOptions,
  cause?: unknown,
): Promise<T | undefined> {
  const { type, desired, live } = child;
  const found = await find(client, type, keyOfObject(desired), { ...options, beforeMaking: live === undefined });
  const unseen = live === undefined && found !== undefined;
  if (unseen && (child.mayTake?.(found) === false || appliedHash(found) === wish.hash)) return found;
  const same = unseen || found?.metadata.uid === live?.metadata.uid;
  if (same && appliedHash(found) === appliedHash(live)) return found;
  const what = `${type.kind} "${keyOf(desired.metadata)}"`;
  const details = { code: 409, ...(cause === undefined ? {} : { cause }) };
  throw new ApiError('Conflict', `cannot apply ${what}: it changed since it was read`, details);
}

/** What we want, ready to be sent: with its hash and the names of its entries. */
interface Wish {
  readonly hash: string;
  readonly body: KubeObject;
}

function wishOf(desired: KubeObject, atomicLists: readonly AtomicList[] = []): Wish {
  const { uid: _uid, resourceVersion: _resourceVersion, managedFields: _managedFields, ...metadata } = desired.metadata;
  const entries = ownEntries(desired, atomicLists);
  const hash = hashOf([{ ...desired, metadata }, entries]);
  const annotations = {
    ...metadata.annotations,
    [appliedHashAnnotation]: hash,
    ...(entries === undefined ? {} : { [ownEntriesAnnotation]: entries }),
  };
  return { hash, body: { ...desired, metadata: { ...metadata, annotations } } };
}

/** The same for the same wish, whatever the order in which its fields were written. */
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
