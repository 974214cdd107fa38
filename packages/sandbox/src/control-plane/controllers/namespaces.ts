/**
 * The namespace controller: creates the default objects of a namespace, and empties a namespace before it is removed.
 */
import type { Resource } from '../../server/api/resource.ts';
import { timestamp } from '../../server/api/write/write.ts';
import { isObject, jsonEqual, type JsonObject, type KubeObject } from '../../values/json.ts';
import type { Store } from '../../store/store.ts';
import type { LocalClient } from './client.ts';
import { noRemoteObjects, type RemoteKind, type RemoteObjects } from './remote-objects.ts';
import { WorkQueue } from './work-queue.ts';

interface Remaining {
  readonly resource: string;
  readonly count: number;
  readonly finalizers: ReadonlyMap<string, number>;
}

/** Kubernetes checks again after at least a second, so that watchers see what the pods' controllers do meanwhile. */
const PODS_PAUSE_MS = 1000;
/** The pause before another server that did not answer is asked again. */
const REMOTE_PAUSE_MS = 1000;

export interface NamespaceDeps {
  readonly store: Store;
  readonly client: LocalClient;
  /** PEM, for the ConfigMap in every namespace. */
  readonly authority: string;
  readonly remote?: RemoteObjects;
}

export class NamespaceController {
  readonly #client: LocalClient;
  readonly #queue: WorkQueue;
  readonly #namespaces: Resource;
  readonly #authority: string;
  readonly #remote: RemoteObjects;
  readonly #cleanup: (() => void)[] = [];
  readonly #awaitsPods = new Set<string>();

  constructor(
    { store, client, authority, remote = noRemoteObjects }: NamespaceDeps,
    onError: (error: unknown, key: string) => void,
  ) {
    this.#client = client;
    this.#authority = authority;
    this.#remote = remote;
    this.#namespaces = client.builtin('', 'v1', 'namespaces');
    this.#queue = new WorkQueue((name) => this.#reconcile(name), onError);
    for (const namespace of client.list(this.#namespaces)) this.#queue.add(namespace.metadata.name ?? '');
    this.#cleanup.push(
      store.listen((table, event) => {
        if (table.name === '/namespaces') this.#queue.add(event.entry.name);
        // The default objects are recreated when deleted, and a terminating namespace is checked whenever an object in
        // it is deleted.
        else if (event.type === 'DELETED' && event.entry.namespace !== '') this.#lookAgain(event.entry.namespace);
      }),
    );
    remote.onWritten(({ namespace }) => {
      if (namespace !== '') this.#queue.add(namespace);
    });
  }

  #lookAgain(name: string): void {
    if (this.#awaitsPods.has(name)) this.#queue.addAfter(name, PODS_PAUSE_MS);
    else this.#queue.add(name);
  }

  stop(): void {
    for (const stop of this.#cleanup) stop();
    this.#queue.stop();
  }

  async #reconcile(name: string): Promise<void> {
    const namespace = this.#client.get(this.#namespaces, '', name);
    if (namespace === undefined) return;
    if (namespace.metadata.deletionTimestamp === undefined) await this.#furnish(name);
    else await this.#empty(namespace);
  }

  async #furnish(name: string): Promise<void> {
    const accounts = this.#client.builtin('', 'v1', 'serviceaccounts');
    if (this.#client.get(accounts, name, 'default') === undefined) {
      await this.#client.create(accounts, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name: 'default', namespace: name },
      });
    }
    const maps = this.#client.builtin('', 'v1', 'configmaps');
    if (this.#client.get(maps, name, 'kube-root-ca.crt') !== undefined) return;
    await this.#client.create(maps, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'kube-root-ca.crt',
        namespace: name,
        annotations: {
          'kubernetes.io/description':
            'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.',
        },
      },
      data: { 'ca.crt': this.#authority },
    });
  }

  async #empty(namespace: KubeObject): Promise<void> {
    const name = namespace.metadata.name ?? '';
    const finalizers = specFinalizers(namespace);
    if (finalizers.includes('kubernetes')) {
      const kinds = this.#contentKinds();
      // Pods are deleted first and everything else waits, so that objects that protect a workload outlive it
      // (OrderedNamespaceDeletion).
      for (const batch of [kinds.filter(isPods), kinds]) {
        await this.#deleteContent(name, batch);
        const unknown = batch === kinds ? this.#remote.unknown() : [];
        const elsewhere = batch === kinds ? await this.#emptyElsewhere(name) : [];
        const remaining = [...this.#remaining(name, batch), ...elsewhere];
        if (remaining.length === 0 && batch !== kinds) {
          this.#awaitsPods.delete(name);
          continue;
        }
        await this.#report(name, remaining, unknown);
        if (unknown.length > 0) {
          this.#queue.addAfter(name, REMOTE_PAUSE_MS);
          return;
        }
        if (remaining.length > 0 && batch !== kinds) this.#awaitsPods.add(name);
        if (remaining.length > 0) return;
      }
      await this.#client.update(this.#namespaces, '', name, dropKubernetesFinalizer, 'finalize');
    }
    await this.#client.delete(this.#namespaces, '', name, { uid: namespace.metadata.uid });
  }

  async #deleteContent(name: string, kinds: readonly Resource[]): Promise<void> {
    for (const resource of kinds) {
      for (const object of this.#client.list(resource, name)) {
        if (object.metadata.deletionTimestamp === undefined)
          await this.#client.delete(resource, name, object.metadata.name ?? '', { propagationPolicy: 'Background' });
      }
    }
  }

  /** Deletes the objects of other servers in a namespace, and returns what is left. */
  async #emptyElsewhere(name: string): Promise<Remaining[]> {
    const left: Remaining[] = [];
    for (const kind of this.#remote.kinds()) {
      const { namespaced, verbs } = kind;
      if (!namespaced || !verbs.includes('list') || !verbs.includes('deletecollection')) continue;
      let objects = await this.#remote.list(kind, name);
      if (objects.some(({ metadata }) => metadata.deletionTimestamp === undefined)) {
        await this.#remote.deleteAll(kind, name);
        objects = await this.#remote.list(kind, name);
      }
      if (objects.length > 0) left.push(remainingOf(kind, objects));
    }
    return left;
  }

  /** Every stored kind once, regardless of how many versions it has. */
  #contentKinds(): Resource[] {
    const byTable = new Map<string, Resource>();
    for (const resource of this.#client.registry.all()) {
      if (resource.namespaced && resource.verbs.includes('delete') && !byTable.has(resource.table))
        byTable.set(resource.table, resource);
    }
    return [...byTable.values()];
  }

  #remaining(name: string, kinds: readonly Resource[]): Remaining[] {
    return kinds.flatMap((resource) => {
      const objects = this.#client.list(resource, name);
      return objects.length === 0 ? [] : [remainingOf(resource, objects)];
    });
  }

  async #report(name: string, remaining: readonly Remaining[], unknown: readonly string[]): Promise<void> {
    const wanted = conditions(remaining, unknown);
    await this.#client.update(
      this.#namespaces,
      '',
      name,
      (live) => {
        const status = isObject(live['status']) ? live['status'] : {};
        const had = Array.isArray(status['conditions']) ? (status['conditions'] as JsonObject[]) : [];
        const merged = wanted.map((condition) => withTransition(condition, had));
        if (jsonEqual(merged, had)) return false;
        live['status'] = { ...status, conditions: merged };
        return true;
      },
      'status',
    );
  }
}

function remainingOf(
  { group, plural }: Pick<RemoteKind, 'group' | 'plural'>,
  objects: readonly KubeObject[],
): Remaining {
  const finalizers = new Map<string, number>();
  for (const finalizer of objects.flatMap((object) => object.metadata.finalizers ?? []))
    finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  return { resource: group === '' ? `${plural}.` : `${plural}.${group}`, count: objects.length, finalizers };
}

function discoveryText(unknown: readonly string[]): string {
  const each = unknown.map((name) => `${name}: stale GroupVersion discovery: ${name}`).join(', ');
  return `Discovery failed for some groups, ${unknown.length} failing: unable to retrieve the complete list of server APIs: ${each}`;
}

function isPods({ group, plural }: Resource): boolean {
  return group === '' && plural === 'pods';
}

function specFinalizers(namespace: KubeObject): string[] {
  const spec = namespace['spec'];
  return isObject(spec) && Array.isArray(spec['finalizers']) ? spec['finalizers'].map(String) : [];
}

function dropKubernetesFinalizer(live: KubeObject): boolean {
  const finalizers = specFinalizers(live);
  const kept = finalizers.filter((finalizer) => finalizer !== 'kubernetes');
  const spec = isObject(live['spec']) ? live['spec'] : {};
  live['spec'] = kept.length === 0 ? {} : { ...spec, finalizers: kept };
  return kept.length !== finalizers.length;
}

function withTransition(condition: JsonObject, had: readonly JsonObject[]): JsonObject {
  const old = had.find(({ type }) => type === condition['type']);
  const same = old !== undefined && old['status'] === condition['status'] && old['message'] === condition['message'];
  return { ...condition, lastTransitionTime: same ? old['lastTransitionTime'] : timestamp() };
}

function conditions(remaining: readonly Remaining[], unknown: readonly string[]): JsonObject[] {
  const content = remaining.map(({ resource, count }) => `${resource} has ${count} resource instances`).sort();
  const byFinalizer = new Map<string, number>();
  for (const { finalizers } of remaining) {
    for (const [finalizer, count] of finalizers) byFinalizer.set(finalizer, (byFinalizer.get(finalizer) ?? 0) + count);
  }
  const finalizers = [...byFinalizer].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`).sort();
  const condition = (type: string, bad: boolean, reason: string, message: string): JsonObject => ({
    type,
    status: bad ? 'True' : 'False',
    reason,
    message,
  });
  return [
    unknown.length > 0
      ? condition('NamespaceDeletionDiscoveryFailure', true, 'DiscoveryFailed', discoveryText(unknown))
      : condition(
          'NamespaceDeletionDiscoveryFailure',
          false,
          'ResourcesDiscovered',
          'All resources successfully discovered',
        ),
    condition(
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    condition(
      'NamespaceDeletionContentFailure',
      false,
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    content.length === 0
      ? condition('NamespaceContentRemaining', false, 'ContentRemoved', 'All content successfully removed')
      : condition(
          'NamespaceContentRemaining',
          true,
          'SomeResourcesRemain',
          `Some resources are remaining: ${content.join(', ')}`,
        ),
    finalizers.length === 0
      ? condition(
          'NamespaceFinalizersRemaining',
          false,
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        )
      : condition(
          'NamespaceFinalizersRemaining',
          true,
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${finalizers.join(', ')}`,
        ),
  ];
}
