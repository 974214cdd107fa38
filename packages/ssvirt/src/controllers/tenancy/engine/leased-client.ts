/**
 * The leased client: the requests of an attempt to its cluster. Every write first ensures that the claim outlasts it,
 * and checks that again right before it is sent.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { RequestOptions, Selection } from '@ssvirt/kube/client/client';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isNotFound } from '@ssvirt/kube/errors';
import { keyOfObject, type KubeObject, type ObjectKey } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { mayI, type Access } from '../../../fleet/identity/account.ts';
import { fieldManager } from '../vdcs/vdc-types.ts';
import type { Lease } from './lease.ts';

export interface LeasedClientOptions {
  readonly cluster: Cluster;
  readonly lease: Lease;
  readonly signal: AbortSignal;
  readonly requestMs: number;
}

/** What must be known of an object to change it and not a successor of the same name. */
export type Seen = Pick<KubeObject, 'metadata'>;

/** `ActionRequest` is a request to a subresource: KubeVirt's start and stop, the processing of a template. */
export interface ActionRequest {
  readonly method: 'PUT' | 'POST';
  /** The path below `/apis/`, for example `subresources.kubevirt.io/v1`. */
  readonly group: string;
  readonly plural: string;
  readonly namespace: string;
  readonly name: string;
  readonly action: string;
  readonly body?: unknown;
}

/** The page size of a list. Little is kept of each object. */
const pageOfNames = 100;

export class LeasedClient {
  readonly #options: LeasedClientOptions;

  constructor(options: LeasedClientOptions) {
    this.#options = options;
  }

  /** Undefined if the object does not exist or its kind is not served. */
  async get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): Promise<T | undefined> {
    try {
      return await this.#client.get(type, key, this.#reading);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** The first of the selected objects: for a few that explain something. */
  async some<T extends KubeObject>(type: ResourceType<T>, selection: Selection, limit: number): Promise<readonly T[]> {
    return (await this.#client.list(type, { ...this.#reading, ...selection, limit })).items;
  }

  /** Asks the cluster about our own user. */
  asked<T>(question: (options: RequestOptions & { readonly signal: AbortSignal }) => Promise<T>): Promise<T> {
    const { signal, requestMs } = this.#options;
    return question({ signal, timeoutMs: requestMs });
  }

  mayI(access: Access): Promise<boolean> {
    return mayI(this.#client, access, this.#reading);
  }

  /** Names and uids of all selected objects. Empty if the kind is not served. */
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

  /** Fails if an object of that name exists, whoever owns it. */
  async create<T extends KubeObject>(type: ResourceType<T>, desired: T): Promise<T> {
    return this.#client.create(type, desired, { ...(await this.#writing()), fieldManager });
  }

  /**
   * Sends uid and resourceVersion of the object that was read. Without the uid it would create an object again that was
   * just deleted; without the resourceVersion an older desired state could overwrite a newer one.
   */
  async apply<T extends KubeObject>(type: ResourceType<T>, desired: KubeObject, seen: Seen | undefined): Promise<T> {
    const lock = seen === undefined ? {} : lockOf(seen);
    const body = { ...desired, metadata: { ...desired.metadata, ...lock } };
    return this.#client.apply(type, body, { ...(await this.#writing()), fieldManager, force: true });
  }

  /** A merge patch of the object that was read, in the version that was read. */
  async patch<T extends KubeObject>(type: ResourceType<T>, seen: Seen, change: object): Promise<T> {
    const { metadata } = change as { readonly metadata?: object };
    const body = { ...change, metadata: { ...metadata, ...lockOf(seen) } };
    const options = { ...(await this.#writing()), fieldManager };
    return this.#client.patch(type, keyOfObject(seen), { type: 'merge', body }, options);
  }

  /** Deletes the object that was read and no successor of the same name. It may already be gone. */
  async delete(type: ResourceType<KubeObject>, seen: Seen): Promise<void> {
    const { uid = '' } = seen.metadata;
    try {
      await this.#client.delete(type, keyOfObject(seen), { ...(await this.#writing()), uid });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Deletes whatever has that name: for objects that may not be read and whose name is unique. */
  async deleteNamed(type: ResourceType<KubeObject>, key: ObjectKey): Promise<void> {
    try {
      await this.#client.delete(type, key, await this.#writing());
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Resolves to the answer of the cluster. */
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
  return defined({ uid, resourceVersion });
}

function inShort({ metadata: { name, namespace, uid, deletionTimestamp } }: KubeObject): KubeObject {
  return { metadata: { name, namespace, uid, deletionTimestamp } as KubeObject['metadata'] };
}
