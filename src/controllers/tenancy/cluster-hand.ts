/** What an attempt does in its cluster. Every write first sees to it that the claim outlasts it, and looks again right before it goes to the network. */
import type { RequestOptions, Selection } from '../../kube/client/client.ts';
import type { Cluster } from '../../kube/cluster.ts';
import { isNotFound } from '../../kube/errors.ts';
import { keyOfObject, type KubeObject, type ObjectKey } from '../../kube/object.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { mayI, type Access } from '../../fleet/account.ts';
import { fieldManager } from './kinds.ts';
import type { Lease } from './lease.ts';

export interface ClusterHandOptions {
  readonly cluster: Cluster;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly requestMs: number;
}

/** What has to be known of an object to change it and nothing that has come in its place. */
export type Seen = Pick<KubeObject, 'metadata'>;

/** A request to something that is done to an object: KubeVirt's start and stop, the processing of a template. */
export interface ActionRequest {
  readonly method: 'PUT' | 'POST';
  /** Below `/apis/`: `subresources.kubevirt.io/v1`. */
  readonly group: string;
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
  readonly action: string;
  readonly body?: unknown;
}

/** Of a list; what is kept of each is small. */
const pageOfNames = 100;

export class ClusterHand {
  readonly #options: ClusterHandOptions;

  constructor(options: ClusterHandOptions) {
    this.#options = options;
  }

  /** Undefined where there is none, and where its kind is not served. */
  async get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): Promise<T | undefined> {
    try {
      return await this.#client.get(type, key, this.#reading);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** The first of those that are selected: for a few that explain something. */
  async some<T extends KubeObject>(type: ResourceType<T>, selection: Selection, limit: number): Promise<readonly T[]> {
    return (await this.#client.list(type, { ...this.#reading, ...selection, limit })).items;
  }

  /** A question to the cluster about ourselves. */
  asked<T>(question: (options: RequestOptions & { readonly signal: AbortSignal }) => Promise<T>): Promise<T> {
    const { signal, requestMs } = this.#options;
    return question({ signal, timeoutMs: requestMs });
  }

  mayI(access: Access): Promise<boolean> {
    return mayI(this.#client, access, this.#reading);
  }

  /** Names and uids of all that are selected. None where the kind is not served. */
  async namesOf(type: ResourceType<KubeObject>, selection: Selection): Promise<readonly KubeObject[]> {
    const found: KubeObject[] = [];
    try {
      const pages = this.#client.pages(type, {
        ...this.#reading,
        ...selection,
        limit: pageOfNames,
        metadataOnly: true,
      });
      for await (const { items } of pages) found.push(...items.map(inShort));
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
    return found;
  }

  /** Fails where there is one of that name, whosesoever. */
  async create<T extends KubeObject>(type: ResourceType<T>, desired: T): Promise<T> {
    return this.#client.create(type, desired, { ...(await this.#writing()), fieldManager });
  }

  /**
   * With uid and resourceVersion of what was seen: without the uid it would make anew what was just deleted, without the resourceVersion an older wish could
   * overwrite a newer one.
   */
  async apply<T extends KubeObject>(type: ResourceType<T>, desired: KubeObject, seen: Seen | undefined): Promise<T> {
    const lock = seen === undefined ? {} : lockOf(seen);
    const body = { ...desired, metadata: { ...desired.metadata, ...lock } };
    return this.#client.apply(type, body, { ...(await this.#writing()), fieldManager, force: true });
  }

  /** A merge patch; only of what was seen, and as it was then. */
  async patch<T extends KubeObject>(type: ResourceType<T>, seen: Seen, change: object): Promise<T> {
    const { metadata } = change as { readonly metadata?: object };
    const body = { ...change, metadata: { ...metadata, ...lockOf(seen) } };
    const options = { ...(await this.#writing()), fieldManager };
    return this.#client.patch(type, keyOfObject(seen), { type: 'merge', body }, options);
  }

  /** What was seen, and nothing that has come in its place. It may be gone already. */
  async delete(type: ResourceType<KubeObject>, seen: Seen): Promise<void> {
    const { uid = '' } = seen.metadata;
    try {
      await this.#client.delete(type, keyOfObject(seen), { ...(await this.#writing()), uid });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Whatever of that name is there: for what cannot be read, and whose name nobody else has. */
  async deleteNamed(type: ResourceType<KubeObject>, key: ObjectKey): Promise<void> {
    try {
      await this.#client.delete(type, key, await this.#writing());
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Resolves to what the cluster answers. */
  async act({ method, group, plural, namespace, name, action, body }: ActionRequest): Promise<unknown> {
    const path = `/apis/${group}/namespaces/${namespace}/${plural}/${name}/${action}`;
    const sent = body === undefined ? {} : { body };
    return (await this.#client.request({ ...(await this.#writing()), method, path, ...sent })).body;
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

function lockOf({ metadata: { uid, resourceVersion } }: Seen): Partial<KubeObject['metadata']> {
  return { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
}

function inShort({ metadata: { name, namespace, uid, deletionTimestamp } }: KubeObject): KubeObject {
  return { metadata: { name, namespace, uid, deletionTimestamp } as KubeObject['metadata'] };
}
