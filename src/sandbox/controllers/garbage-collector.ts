/**
 * The garbage collector: deletes what no living owner holds, orphans or waits as the deletion asked. An owner is looked up
 * in the dependent's own namespace, so a reference across namespaces gets its object deleted, as in a real cluster.
 */
import type { Resource } from '../api/resource.ts';
import type { KubeObject, OwnerReference } from '../json.ts';
import { parseEntry } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import type { StoreEvent, Table } from '../store/table.ts';
import type { LocalClient } from './client.ts';
import { WorkQueue } from './work-queue.ts';

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

interface Node {
  readonly uid: string;
  readonly table: string;
  readonly key: string;
  owners: readonly OwnerReference[];
}

type OwnerState = 'solid' | 'waiting' | 'dangling' | 'unknown';

export class GarbageCollector {
  readonly #client: LocalClient;
  readonly #store: Store;
  readonly #nodes = new Map<string, Node>();
  readonly #dependents = new Map<string, Set<string>>();
  readonly #queue: WorkQueue;
  readonly #stop: () => void;

  constructor(store: Store, client: LocalClient, onError: (error: unknown, key: string) => void) {
    this.#store = store;
    this.#client = client;
    this.#queue = new WorkQueue((uid) => this.#process(uid), onError);
    for (const table of store.tables()) {
      for (const entry of table.range('')) this.#observe(table.name, entry.uid, entry.key, parseEntry(entry));
    }
    this.#stop = store.listen((table, event) => this.#onEvent(table, event));
  }

  stop(): void {
    this.#stop();
    this.#queue.stop();
  }

  #onEvent(table: Table, event: StoreEvent): void {
    const { entry } = event;
    if (event.type === 'DELETED') this.#forget(entry.uid);
    // Parsing every event would double the cost of a write: most objects have no owner and are not being deleted.
    else if (this.#nodes.has(entry.uid) || /"ownerReferences":|"deletionTimestamp":/.test(entry.json)) {
      this.#observe(table.name, entry.uid, entry.key, parseEntry(entry));
    }
  }

  #observe(table: string, uid: string, key: string, object: KubeObject): void {
    const owners = object.metadata.ownerReferences ?? [];
    const known = this.#nodes.get(uid);
    for (const owner of known?.owners ?? []) this.#unlink(owner.uid, uid);
    if (owners.length > 0) this.#nodes.set(uid, { uid, table, key, owners });
    else if (object.metadata.deletionTimestamp !== undefined) this.#nodes.set(uid, { uid, table, key, owners });
    else this.#nodes.delete(uid);
    for (const owner of owners) {
      const dependents = this.#dependents.get(owner.uid) ?? new Set();
      this.#dependents.set(owner.uid, dependents.add(uid));
    }
    if (owners.length > 0 || hasPolicy(object)) this.#queue.add(uid);
  }

  #forget(uid: string): void {
    const node = this.#nodes.get(uid);
    this.#nodes.delete(uid);
    for (const owner of node?.owners ?? []) {
      this.#unlink(owner.uid, uid);
      if (this.#nodes.has(owner.uid)) this.#queue.add(owner.uid);
    }
    for (const dependent of this.#dependents.get(uid) ?? []) this.#queue.add(dependent);
  }

  #unlink(owner: string, dependent: string): void {
    const dependents = this.#dependents.get(owner);
    dependents?.delete(dependent);
    if (dependents?.size === 0) this.#dependents.delete(owner);
  }

  async #process(uid: string): Promise<void> {
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

  /** Deletes an object when none of its owners is left, or drops the references to those that are not. */
  async #collect(resource: Resource, object: KubeObject, node: Node): Promise<void> {
    const namespace = object.metadata.namespace ?? '';
    const states = node.owners.map((owner) => ({ owner, state: this.#ownerState(owner, resource, namespace) }));
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
      // Somebody may take the references away meanwhile.
      resourceVersion,
      propagationPolicy: waiting && hasDependents ? 'Foreground' : policyOf(object),
    });
  }

  #ownerState(owner: OwnerReference, dependent: Resource, namespace: string): OwnerState {
    const resource = this.#client.resource(owner.apiVersion, owner.kind);
    if (resource === undefined) return 'unknown';
    // A cluster-scoped object cannot say in which namespace its owner would be.
    if (resource.namespaced && !dependent.namespaced) return 'unknown';
    const found = this.#client.get(resource, namespace, owner.name);
    if (found === undefined || found.metadata.uid !== owner.uid) return 'dangling';
    const leaving =
      found.metadata.deletionTimestamp !== undefined && (found.metadata.finalizers ?? []).includes(FOREGROUND);
    return leaving ? 'waiting' : 'solid';
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
    const dependents = Array.from(this.#dependents.get(uid) ?? []);
    for (const dependent of dependents) {
      const node = this.#nodes.get(dependent);
      const found = node && this.#read(node);
      if (found !== undefined) await this.#dropOwners(found.resource, found.object, new Set([uid]));
    }
    await this.#removeFinalizer(resource, owner, ORPHAN);
  }

  /** Foreground deletion: the owner stays until every dependent that blocks it is gone. */
  async #waitForDependents(resource: Resource, owner: KubeObject): Promise<void> {
    const uid = owner.metadata.uid ?? '';
    const blocking = [...(this.#dependents.get(uid) ?? [])].filter((dependent) =>
      this.#nodes
        .get(dependent)
        ?.owners.some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true),
    );
    for (const dependent of this.#dependents.get(uid) ?? []) this.#queue.add(dependent);
    if (blocking.length === 0) await this.#removeFinalizer(resource, owner, FOREGROUND);
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

function hasPolicy(object: KubeObject): boolean {
  if (object.metadata.deletionTimestamp === undefined) return false;
  return (object.metadata.finalizers ?? []).some((finalizer) => finalizer === ORPHAN || finalizer === FOREGROUND);
}

function policyOf(object: KubeObject): string {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}
