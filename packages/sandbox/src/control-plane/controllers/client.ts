/** The client of the sandbox's own controllers: in-process, with the same rules as for every other client. */
import type { User } from '../../server/api/context.ts';
import type { Deleter } from '../../server/api/write/delete.ts';
import type { Registry } from '../../server/api/registry.ts';
import type { Resource } from '../../server/api/resource.ts';
import { StatusError } from '../../server/api/status.ts';
import type { UpdateRequest, Writer, WriteRequest } from '../../server/api/write/write.ts';
import { groupOf } from '../../server/api/resource.ts';
import { cloneJson, type KubeObject } from '../../values/json.ts';
import { readEntry } from '../../server/api/present.ts';

export interface LocalClientDeps {
  readonly registry: Registry;
  readonly writer: Writer;
  readonly deleter: Deleter;
}

export class LocalClient {
  readonly #deps: LocalClientDeps;
  readonly #user: User;
  readonly #manager: string;

  constructor(deps: LocalClientDeps, manager = 'kube-controller-manager') {
    this.#deps = deps;
    this.#manager = manager;
    this.#user = { name: 'system:kube-controller-manager', uid: '', groups: ['system:authenticated'] };
  }

  get registry(): Registry {
    return this.#deps.registry;
  }

  resource(apiVersion: string, kind: string): Resource | undefined {
    return this.#deps.registry.findKind(groupOf(apiVersion), apiVersion.split('/').at(-1) as string, kind);
  }

  /** A built-in resource, which always exists. */
  builtin(group: string, version: string, plural: string): Resource {
    const resource = this.#deps.registry.find(group, version, plural);
    if (resource === undefined) throw new Error(`no built-in resource ${group}/${version}/${plural}`);
    return resource;
  }

  get(resource: Resource, namespace: string, name: string): KubeObject | undefined {
    const entry = this.#deps.writer.find(resource, namespace, name);
    return entry === undefined ? undefined : readEntry(resource, entry);
  }

  list(resource: Resource, namespace = ''): KubeObject[] {
    const prefix = resource.namespaced && namespace !== '' ? `${namespace}/` : '';
    return [...this.#deps.writer.store.table(resource.table).range(prefix)].map((entry) => readEntry(resource, entry));
  }

  async create(resource: Resource, object: KubeObject): Promise<KubeObject | undefined> {
    const { object: decoded } = resource.strategy.decode(object, false);
    const written = await orUndefined(
      this.#deps.writer.create(this.#request(resource, object.metadata.namespace ?? '', ''), decoded),
      409,
    );
    return written?.object;
  }

  /**
   * Updates an object if it still exists. `change` may be called more than once and returns false when there is nothing
   * to do.
   */
  async update(
    resource: Resource,
    namespace: string,
    name: string,
    change: (object: KubeObject) => boolean,
    subresource = '',
  ): Promise<void> {
    const request: UpdateRequest = {
      ...this.#request(resource, namespace, name, subresource),
      change: (live) => {
        const object = cloneJson(live as KubeObject);
        return change(object) ? object : undefined;
      },
      allowCreate: false,
      managed: false,
      retry: true,
      uid: undefined,
    };
    await orUndefined(this.#deps.writer.update(request), 404);
  }

  async delete(
    resource: Resource,
    namespace: string,
    name: string,
    options: { uid?: string | undefined; resourceVersion?: string | undefined; propagationPolicy?: string } = {},
  ): Promise<void> {
    const deletion = {
      dryRun: false,
      gracePeriodSeconds: undefined,
      propagationPolicy: options.propagationPolicy,
      orphanDependents: undefined,
      uid: options.uid,
      resourceVersion: options.resourceVersion,
    };
    // 404 and 409 count as success: the object is already gone, or another one has its name. If it has changed, the
    // caller sees it again.
    await orUndefined(this.#deps.deleter.delete({ ...this.#request(resource, namespace, name), deletion }), 404, 409);
  }

  #request(resource: Resource, namespace: string, name: string, subresource = ''): WriteRequest {
    return {
      resource,
      subresource,
      namespace,
      name,
      dryRun: false,
      manager: this.#manager,
      user: this.#user,
      options: { kind: 'UpdateOptions', apiVersion: 'meta.k8s.io/v1' },
      warn: () => {},
    };
  }
}

async function orUndefined<T>(promise: Promise<T>, ...codes: number[]): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof StatusError && codes.includes(error.code)) return undefined;
    throw error;
  }
}
