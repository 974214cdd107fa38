/**
 * The controller of CustomResourceDefinitions: accepts names, serves the resources, and on deletion removes their
 * objects first.
 */
import { readEntry } from '../../server/api/present.ts';
import type { Registry } from '../../server/api/registry.ts';
import type { Resource } from '../../server/api/resource.ts';
import { timestamp } from '../../server/api/write/write.ts';
import { cleanupFinalizer } from '../../objects/crd/lifecycle.ts';
import { customResources } from '../../objects/crd/resource.ts';
import { acceptNames, approve, establish, terminate, type TerminationStep } from '../../objects/crd/status.ts';
import { hasCondition, type CustomResourceDefinition, type DefinitionStatus } from '../../objects/crd/types.ts';
import type { KubeObject } from '../../values/json.ts';
import { objectMetaSchema } from '../../objects/kinds/builtin.ts';
import type { Store } from '../../store/store.ts';
import { customApiResources } from '../../objects/strategies/custom.ts';
import type { LocalClient } from './client.ts';
import { WorkQueue } from './work-queue.ts';

const TABLE = 'apiextensions.k8s.io/customresourcedefinitions';
/**
 * How long watches of a resource continue after its definition changed or was removed, in milliseconds, as in
 * kube-apiserver.
 */
const TEARDOWN = 1000;

interface Served {
  readonly shape: string;
  readonly terminating: boolean;
  readonly retired: AbortController;
}

export class DefinitionController {
  readonly #store: Store;
  readonly #client: LocalClient;
  readonly #registry: Registry;
  readonly #definitions: Resource;
  readonly #queue: WorkQueue;
  /** What is served of each definition, by its spec: only a change of that updates the registry. */
  readonly #served = new Map<string, Served>();
  readonly #teardowns = new Set<NodeJS.Timeout>();
  readonly #cleanup: () => void;

  constructor(store: Store, client: LocalClient, onError: (error: unknown, key: string) => void) {
    this.#store = store;
    this.#client = client;
    this.#registry = client.registry;
    this.#definitions = client.builtin('apiextensions.k8s.io', 'v1', 'customresourcedefinitions');
    this.#queue = new WorkQueue((name) => this.#reconcile(name), onError);
    for (const object of client.list(this.#definitions)) {
      this.#serve(object as CustomResourceDefinition);
      this.#queue.add(object.metadata.name ?? '');
    }
    this.#cleanup = store.listenTo(TABLE, (event) => {
      if (event.type === 'DELETED')
        this.#stopServing(event.entry.name, JSON.parse(event.entry.json) as CustomResourceDefinition);
      else this.#queue.add(event.entry.name);
    });
  }

  stop(): void {
    this.#cleanup();
    this.#queue.stop();
    for (const timer of this.#teardowns) clearTimeout(timer);
  }

  async #reconcile(name: string): Promise<void> {
    const crd = this.#read(name);
    if (crd === undefined) return;
    if (crd.metadata.deletionTimestamp !== undefined) {
      await this.#terminate(crd);
      return;
    }
    await this.#setStatus(crd, (live) => approve(live, timestamp()));
    await this.#setStatus(crd, (live) => acceptNames(live, this.#ofGroup(live.spec.group), timestamp()));
    await this.#setStatus(crd, (live) => establish(live, timestamp()));
    const current = this.#read(name);
    if (current !== undefined) this.#serve(current);
  }

  #read(name: string): CustomResourceDefinition | undefined {
    return this.#client.get(this.#definitions, '', name) as CustomResourceDefinition | undefined;
  }

  /** Reads definitions one by one and lazily, because they are large. */
  *#ofGroup(group: string): Generator<CustomResourceDefinition> {
    for (const entry of this.#store.table(TABLE).range(''))
      if (entry.name.endsWith(`.${group}`)) yield readEntry(this.#definitions, entry) as CustomResourceDefinition;
  }

  async #setStatus(
    crd: CustomResourceDefinition,
    next: (live: CustomResourceDefinition) => DefinitionStatus | undefined,
  ): Promise<void> {
    const change = (object: KubeObject): boolean => {
      const live = object as CustomResourceDefinition;
      const status = next(live);
      if (status === undefined) return false;
      live.status = status;
      return true;
    };
    await this.#client.update(this.#definitions, '', crd.metadata.name ?? '', change, 'status');
  }

  #serve(crd: CustomResourceDefinition): void {
    if (!hasCondition(crd, 'Established')) return;
    const name = crd.metadata.name ?? '';
    const terminating = hasCondition(crd, 'Terminating') || crd.metadata.deletionTimestamp !== undefined;
    const shape = JSON.stringify([crd.spec, crd.status?.acceptedNames]);
    const known = this.#served.get(name);
    if (known?.shape === shape && known.terminating === terminating) return;
    const retired = known?.shape === shape ? known.retired : new AbortController();
    this.#served.set(name, { shape, terminating, retired });
    // The server treats a new shape as a new storage, whose events begin here.
    if (known?.shape !== shape) {
      this.#store.table(`${crd.spec.group}/${crd.spec.names.plural}`).forget(this.#store.revision);
    }
    this.#registry.replace(
      crd.spec.group,
      crd.spec.names.plural,
      customApiResources(customResources(crd, objectMetaSchema), this.#store.revision, terminating, retired.signal),
    );
    if (known !== undefined && known.retired !== retired) this.#retire(known);
  }

  #stopServing(name: string, crd: CustomResourceDefinition): void {
    const known = this.#served.get(name);
    this.#served.delete(name);
    this.#registry.replace(crd.spec.group, crd.spec.names.plural, []);
    if (known !== undefined) this.#retire(known);
  }

  #retire({ retired }: Served): void {
    const timer = setTimeout(() => {
      this.#teardowns.delete(timer);
      retired.abort();
    }, TEARDOWN);
    this.#teardowns.add(timer);
  }

  /** All objects of a definition are deleted before the definition. */
  async #terminate(crd: CustomResourceDefinition): Promise<void> {
    if (!(crd.metadata.finalizers ?? []).includes(cleanupFinalizer)) return;
    const step = (of: TerminationStep): Promise<void> =>
      this.#setStatus(crd, (live) => terminate(live, of, timestamp()));
    if (!hasCondition(crd, 'Established')) await step('neverEstablished');
    else {
      await step('inProgress');
      this.#serve(this.#read(crd.metadata.name ?? '') ?? crd);
      if (!(await this.#deleteObjects(crd))) return;
      await step('completed');
    }
    await this.#client.update(this.#definitions, '', crd.metadata.name ?? '', (live) => {
      const kept = (live.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer);
      if (kept.length === 0) delete live.metadata.finalizers;
      else live.metadata.finalizers = kept;
      return true;
    });
  }

  /** Resolves to true when nothing is left. While finalizers hold objects, the definition is queued again. */
  async #deleteObjects(crd: CustomResourceDefinition): Promise<boolean> {
    const storage = crd.spec.versions.find((version) => version.served) ?? crd.spec.versions[0];
    const resource = this.#registry.find(crd.spec.group, storage?.name ?? '', crd.spec.names.plural);
    if (resource === undefined) return true;
    for (const object of this.#client.list(resource)) {
      if (object.metadata.deletionTimestamp === undefined) {
        await this.#client.delete(resource, object.metadata.namespace ?? '', object.metadata.name ?? '');
      }
    }
    if (this.#store.table(resource.table).size === 0) return true;
    this.#queue.addAfter(crd.metadata.name ?? '', 200);
    return false;
  }
}
