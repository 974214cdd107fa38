/** What an attempt does in its cluster. Every write first sees to it that the claim outlasts it, and looks again right before it goes to the network. */
import type { ObjectList, RequestOptions } from '../../kube/client/client.ts';
import type { Cluster } from '../../kube/cluster.ts';
import { isNotFound } from '../../kube/errors.ts';
import { keyOfObject, type KubeObject, type ObjectKey } from '../../kube/object.ts';
import type { DesiredObject, VdcKind } from '../../virt/vdc/objects.ts';
import { fieldManager, vdcTypes, virtualMachines } from './kinds.ts';
import type { Lease } from './lease.ts';
import { liveObjectOf, type LiveObject } from './live-object.ts';

export interface ClusterHandOptions {
  readonly cluster: Cluster;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly requestMs: number;
}

/** Of a list; what is kept of each is small. */
const pageOfMachines = 100;

export class ClusterHand {
  readonly #options: ClusterHandOptions;

  constructor(options: ClusterHandOptions) {
    this.#options = options;
  }

  async get(kind: VdcKind, key: ObjectKey): Promise<LiveObject | undefined> {
    try {
      return liveObjectOf(await this.#client.get(vdcTypes[kind], key, this.#reading));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Fails where there is one of that name, whosesoever. */
  async createNamespace(desired: DesiredObject): Promise<LiveObject> {
    const options = { ...(await this.#writing()), fieldManager };
    return liveObjectOf(await this.#client.create(vdcTypes.Namespace, desired, options));
  }

  /**
   * With uid and resourceVersion of what was seen: without the uid it would make anew what was just deleted, without the resourceVersion an older wish could
   * overwrite a newer one.
   */
  async apply(kind: VdcKind, desired: DesiredObject, seen: LiveObject | undefined): Promise<LiveObject> {
    const { uid, resourceVersion } = seen?.metadata ?? {};
    const lock = seen === undefined ? {} : { uid, resourceVersion };
    const body = { ...desired, metadata: { ...desired.metadata, ...lock } } as KubeObject;
    const options = { ...(await this.#writing()), fieldManager, force: true };
    const applied = await this.#client.apply(vdcTypes[kind], body, options);
    const added = foreignKeys(applied, desired);
    return liveObjectOf(added.length === 0 ? applied : await this.#withoutKeys(kind, applied, added));
  }

  /** A quota is ours as a whole, but its keys have owners of their own: an apply leaves those that somebody has added. */
  async #withoutKeys(kind: VdcKind, { metadata }: KubeObject, keys: readonly string[]): Promise<KubeObject> {
    const { uid, resourceVersion } = metadata;
    const hard = Object.fromEntries(keys.map((key) => [key, null]));
    const body = { metadata: { uid, resourceVersion }, spec: { hard } };
    const options = { ...(await this.#writing()), fieldManager };
    return this.#client.patch(vdcTypes[kind], keyOfObject({ metadata }), { type: 'merge', body }, options);
  }

  async deleteNamespace({ metadata }: LiveObject): Promise<void> {
    const { name = '', uid = '' } = metadata;
    await this.#client.delete(vdcTypes.Namespace, { name }, { ...(await this.#writing()), uid });
  }

  /** All machines of a namespace: one that does not end must not hide those after it. None where KubeVirt is not served. */
  async machines(namespace: string): Promise<readonly KubeObject[]> {
    const options = { ...this.#reading, namespace, limit: pageOfMachines, metadataOnly: true };
    const found: KubeObject[] = [];
    try {
      for (let at: string | undefined = ''; at !== undefined;) {
        const where = at === '' ? options : { ...options, continue: at };
        const page: ObjectList<KubeObject> = await this.#client.list(virtualMachines, where);
        found.push(...page.items.map(inShort));
        at = page.continue === '' ? undefined : page.continue;
      }
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
    return found;
  }

  async deleteMachine({ metadata }: KubeObject): Promise<void> {
    const { name = '', namespace = '', uid = '' } = metadata;
    try {
      await this.#client.delete(virtualMachines, { namespace, name }, { ...(await this.#writing()), uid });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  get #client(): Cluster['client'] {
    return this.#options.cluster.client;
  }

  get #reading(): RequestOptions {
    const { signal, requestMs } = this.#options;
    return { signal, timeoutMs: requestMs };
  }

  async #writing(): Promise<RequestOptions> {
    const { lease, requestMs } = this.#options;
    await lease.ensureRoom(2 * requestMs);
    return { ...this.#reading, beforeSend: () => lease.assertRoom(requestMs) };
  }
}

function inShort({ metadata: { name, namespace, uid, deletionTimestamp } }: KubeObject): KubeObject {
  return { metadata: { name, namespace, uid, deletionTimestamp } as KubeObject['metadata'] };
}

function foreignKeys(live: KubeObject, desired: DesiredObject): readonly string[] {
  const wanted = hardOf(desired);
  return Object.keys(hardOf(live)).filter((key) => !(key in wanted));
}

function hardOf(object: object): Readonly<Record<string, unknown>> {
  const { spec } = object as { readonly spec?: { readonly hard?: Readonly<Record<string, unknown>> } };
  return spec?.hard ?? {};
}
