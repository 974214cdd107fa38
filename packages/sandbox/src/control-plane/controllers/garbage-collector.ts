/**
 * The garbage collector: deletes objects without a living owner, and orphans dependents or waits for them as the
 * deletion requested. An owner is looked up in the dependent's namespace, so an object whose owner is in another
 * namespace is deleted, as in a real cluster.
 */
import { groupOf, type Resource } from '../../server/api/resource.ts';
import { jsonEqual, type KubeObject, type OwnerReference } from '../../values/json.ts';
import { bondsOf, entryKey, parseEntry, type Bonds, type Entry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { StoreEvent, StoreTable } from '../../store/table.ts';
import type { LocalClient } from './client.ts';
import { noRemoteObjects, type RemoteKind, type RemoteObjects, type RemoteWrite } from './remote-objects.ts';
import { WorkQueue } from './work-queue.ts';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

interface Node {
  readonly uid: string;
  readonly table: string;
  readonly key: string;
  readonly owners: readonly OwnerReference[];
  readonly isLeaving: boolean;
}

/** An object of another server that is being deleted and has a propagation policy. */
interface RemoteOwner {
  readonly kind: RemoteKind;
  readonly namespace: string;
  readonly name: string;
}

type OwnerState = 'solid' | 'waiting' | 'dangling' | 'unknown';

interface JudgedOwner {
  readonly owner: OwnerReference;
  readonly state: OwnerState;
}

export class GarbageCollector {
  readonly #client: LocalClient;
  readonly #store: Store;
  readonly #nodes = new Map<string, Node>();
  readonly #dependents = new Map<string, Set<string>>();
  /** Objects whose owners all existed at the last check; when one loses an owner, it is checked again. */
  readonly #held = new Set<string>();
  readonly #queue: WorkQueue;
  readonly #stop: () => void;
  readonly #remote: RemoteObjects;
  readonly #remoteOwners = new Map<string, RemoteOwner>();

  constructor(
    store: Store,
    client: LocalClient,
    onError: (error: unknown, key: string) => void,
    remote: RemoteObjects = noRemoteObjects,
  ) {
    this.#store = store;
    this.#client = client;
    this.#remote = remote;
    this.#queue = new WorkQueue((uid) => this.#process(uid), onError);
    for (const table of store.tables()) {
      for (const entry of table.range('')) this.#observe(table.name, entry);
    }
    this.#stop = store.listen((table, event) => this.#onEvent(table, event));
    remote.onWritten((write) => {
      this.#onWritten(write).catch((error: unknown) => onError(error, `${write.resource}.${write.group}`));
    });
  }

  stop(): void {
    this.#stop();
    this.#queue.stop();
  }

  #onEvent(table: StoreTable, event: StoreEvent): void {
    if (event.type === 'DELETED') this.#forget(event.entry.uid);
    else this.#observe(table.name, event.entry);
  }

  /** All writes to other servers pass through this server, so their effect on owners is checked afterwards. */
  async #onWritten({ group, version, resource, namespace, name }: RemoteWrite): Promise<void> {
    const kind = this.#remote.kinds().find((one) => one.plural === resource && one.group === group);
    if (kind === undefined || !kind.verbs.includes('delete')) return;
    const at = { ...kind, version };
    for (const { uid, owners } of this.#nodes.values())
      if (owners.some((owner) => owner.kind === kind.kind && groupOf(owner.apiVersion) === group)) this.#queue.add(uid);
    const found = name === '' ? undefined : await this.#remote.find(at, namespace, name);
    const written = name === '' ? await this.#remote.list(at, namespace) : found === undefined ? [] : [found];
    for (const { metadata } of written) {
      const { uid = '', namespace: place = '', name: called = '', deletionTimestamp, finalizers = [] } = metadata;
      if (!hasPolicy({ owners: [], isLeaving: deletionTimestamp !== undefined, finalizers })) continue;
      this.#remoteOwners.set(uid, { kind: at, namespace: place, name: called });
      this.#queue.add(uid);
    }
  }

  #observe(table: string, entry: Entry): void {
    const { uid, key } = entry;
    const bonds = bondsOf(entry);
    const { owners, isLeaving } = bonds;
    const known = this.#nodes.get(uid);
    if (known !== undefined || owners.length > 0 || isLeaving)
      this.#link(known, { uid, table, key, owners, isLeaving });
    // Most writes do not change the owners, which were checked when they were set.
    const isHeld = this.#held.has(uid) && !isLeaving && jsonEqual([...(known?.owners ?? [])], [...owners]);
    if ((owners.length > 0 && !isHeld) || hasPolicy(bonds)) this.#queue.add(uid);
  }

  #link(known: Node | undefined, node: Node): void {
    const { uid, owners } = node;
    for (const owner of known?.owners ?? []) this.#unlink(owner.uid, uid);
    if (owners.length > 0 || node.isLeaving) this.#nodes.set(uid, node);
    else this.#nodes.delete(uid);
    for (const owner of owners) {
      const dependents = this.#dependents.get(owner.uid) ?? new Set();
      this.#dependents.set(owner.uid, dependents.add(uid));
    }
  }

  #forget(uid: string): void {
    const node = this.#nodes.get(uid);
    this.#nodes.delete(uid);
    this.#held.delete(uid);
    for (const owner of node?.owners ?? []) {
      this.#unlink(owner.uid, uid);
      if (this.#nodes.has(owner.uid) || this.#remoteOwners.has(owner.uid)) this.#queue.add(owner.uid);
    }
    for (const dependent of this.#dependents.get(uid) ?? []) this.#queue.add(dependent);
  }

  #unlink(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    dependents?.delete(dependent);
    if (dependents?.size === 0) this.#dependents.delete(owner);
  }

  async #process(uid: string): Promise<void> {
    const elsewhere = this.#remoteOwners.get(uid);
    if (elsewhere !== undefined) return this.#processRemote(uid, elsewhere);
    const node = this.#nodes.get(uid);
    const found = node && this.#read(node);
    if (node === undefined || found === undefined) return;
    const { resource, object } = found;
    const { metadata } = object;
    if (metadata.deletionTimestamp !== undefined) {
      const finalizers = metadata.finalizers ?? [];
      if (finalizers.includes(ORPHAN)) await this.#orphan(resource, object);
      else if (finalizers.includes(FOREGROUND)) await this.#waitForDependents(resource, object);
      return;
    }
    await this.#collect(resource, object, node);
  }

  /** Deletes an object when none of its owners is left; otherwise removes the references to missing ones. */
  async #collect(resource: Resource, object: KubeObject, node: Node): Promise<void> {
    const namespace = object.metadata.namespace ?? '';
    const here = node.owners.map((owner) => ({ owner, state: this.#ownerState(owner, resource, namespace) }));
    const states = here.some(({ state }) => state === 'unknown')
      ? await Promise.all(here.map(async (one) => this.#foundElsewhere(one, resource, namespace)))
      : here;
    if (states.every(({ state }) => state === 'solid')) this.#held.add(node.uid);
    else this.#held.delete(node.uid);
    if (states.length === 0 || states.some(({ state }) => state === 'unknown')) return;
    const lost = states.filter(({ state }) => state !== 'solid').map(({ owner }) => owner.uid);
    if (lost.length === 0) return;
    const name = object.metadata.name ?? '';
    const { uid = '', resourceVersion } = object.metadata;
    if (lost.length < states.length) {
      await this.#dropOwners(resource, object, new Set(lost));
      return;
    }
    const waiting = states.some(({ state }) => state === 'waiting');
    const hasDependents = (this.#dependents.get(uid)?.size ?? 0) > 0;
    await this.#client.delete(resource, namespace, name, {
      uid,
      // Another client may remove the references meanwhile.
      resourceVersion,
      propagationPolicy: waiting && hasDependents ? 'Foreground' : policyOf(object),
    });
  }

  #ownerState(owner: OwnerReference, dependent: Resource, namespace: string): OwnerState {
    const resource = this.#client.resource(owner.apiVersion, owner.kind);
    if (resource === undefined) return 'unknown';
    // The namespace of the owner of a cluster-scoped object is unknown.
    if (resource.namespaced && !dependent.namespaced) return 'unknown';
    const found = this.#store.table(resource.table).get(entryKey(resource.namespaced ? namespace : '', owner.name));
    if (found === undefined || found.uid !== owner.uid) return 'dangling';
    const { isLeaving, finalizers } = bondsOf(found);
    return isLeaving && finalizers.includes(FOREGROUND) ? 'waiting' : 'solid';
  }

  /** An owner of an unknown kind may belong to another server. */
  async #foundElsewhere(judged: JudgedOwner, dependent: Resource, namespace: string): Promise<JudgedOwner> {
    const { owner, state } = judged;
    const kind = state === 'unknown' ? this.#remote.kindOf(owner.apiVersion, owner.kind) : undefined;
    if (kind === undefined || (kind.namespaced && !dependent.namespaced)) return judged;
    const found = await this.#remote.find(kind, namespace, owner.name);
    if (found === undefined || found.metadata.uid !== owner.uid) return { owner, state: 'dangling' };
    const { deletionTimestamp, finalizers = [] } = found.metadata;
    const isWaiting = deletionTimestamp !== undefined && finalizers.includes(FOREGROUND);
    return { owner, state: isWaiting ? 'waiting' : 'solid' };
  }

  async #dropOwners(resource: Resource, object: KubeObject, uids: ReadonlySet<string>): Promise<void> {
    await this.#client.update(resource, object.metadata.namespace ?? '', object.metadata.name ?? '', (live) => {
      const kept = (live.metadata.ownerReferences ?? []).filter((owner) => !uids.has(owner.uid));
      if (kept.length === (live.metadata.ownerReferences ?? []).length) return false;
      if (kept.length === 0) delete live.metadata.ownerReferences;
      else live.metadata.ownerReferences = kept;
      return true;
    });
  }

  async #orphan(resource: Resource, owner: KubeObject): Promise<void> {
    const uid = owner.metadata.uid ?? '';
    await this.#letGo(uid);
    await this.#removeFinalizer(resource, owner, ORPHAN);
  }

  async #letGo(uid: string): Promise<void> {
    const dependents = Array.from(this.#dependents.get(uid) ?? []);
    for (const dependent of dependents) {
      const node = this.#nodes.get(dependent);
      const found = node && this.#read(node);
      if (found !== undefined) await this.#dropOwners(found.resource, found.object, new Set([uid]));
    }
  }

  /** Foreground deletion: the owner stays until all dependents that block it are gone. */
  async #waitForDependents(resource: Resource, owner: KubeObject): Promise<void> {
    if (!this.#isBlocked(owner.metadata.uid ?? '')) await this.#removeFinalizer(resource, owner, FOREGROUND);
  }

  /** The same for an owner of another server. */
  async #processRemote(uid: string, { kind, namespace, name }: RemoteOwner): Promise<void> {
    const owner = await this.#remote.find(kind, namespace, name);
    const finalizers = owner?.metadata.finalizers ?? [];
    const policy = [ORPHAN, FOREGROUND].find((finalizer) => finalizers.includes(finalizer));
    if (owner === undefined || owner.metadata.uid !== uid || policy === undefined) {
      this.#remoteOwners.delete(uid);
      return;
    }
    if (policy === ORPHAN) await this.#letGo(uid);
    else if (this.#isBlocked(uid)) return;
    await this.#remote.patch(kind, owner, { finalizers: finalizers.filter((finalizer) => finalizer !== policy) });
    this.#queue.add(uid);
  }

  #isBlocked(uid: string): boolean {
    const blocking = [...(this.#dependents.get(uid) ?? [])].filter((dependent) =>
      this.#nodes
        .get(dependent)
        ?.owners.some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true),
    );
    for (const dependent of this.#dependents.get(uid) ?? []) this.#queue.add(dependent);
    return blocking.length > 0;
  }

  async #removeFinalizer(resource: Resource, object: KubeObject, finalizer: string): Promise<void> {
    await this.#client.update(resource, object.metadata.namespace ?? '', object.metadata.name ?? '', (live) => {
      const finalizers = live.metadata.finalizers ?? [];
      if (!finalizers.includes(finalizer)) return false;
      const kept = finalizers.filter((other) => other !== finalizer);
      if (kept.length === 0) delete live.metadata.finalizers;
      else live.metadata.finalizers = kept;
      return true;
    });
  }

  #read(node: Node): { resource: Resource; object: KubeObject } | undefined {
    const entry = this.#store.table(node.table).get(node.key);
    if (entry === undefined || entry.uid !== node.uid) return undefined;
    const object = parseEntry(entry);
    const resource = this.#client.resource(object.apiVersion, object.kind);
    return resource === undefined ? undefined : { resource, object };
  }
}

function hasPolicy({ isLeaving, finalizers }: Bonds): boolean {
  return isLeaving && finalizers.some((finalizer) => finalizer === ORPHAN || finalizer === FOREGROUND);
}

function policyOf(object: KubeObject): string {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}
