/**
 * A cluster without HTTP for the tests of admission and of its controllers: store, built-in kinds, writer, plug-ins.
 */
import { Deleter } from '../../server/api/write/delete.ts';
import { Registry } from '../../server/api/registry.ts';
import type { Resource } from '../../server/api/resource.ts';
import { StatusError } from '../../server/api/status.ts';
import { Writer, type WriteRequest } from '../../server/api/write/write.ts';
import { readEntry } from '../../server/api/present.ts';
import { LocalClient } from '../controllers/client.ts';
import { cloneJson, type JsonObject, type KubeObject } from '../../values/json.ts';
import { Store } from '../../store/store.ts';
import { allBuiltinResources } from '../../objects/strategies/builtin.ts';
import { Admission } from './admission.ts';
import { defaultPlugins } from './plugins.ts';

export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly warnings?: string[];
}

export class TestCluster {
  readonly store = new Store({ eventWindow: 1000 });
  readonly registry = new Registry();
  readonly writer: Writer;
  readonly deleter: Deleter;
  readonly client: LocalClient;
  readonly #controllers: { stop(): void }[] = [];

  constructor() {
    const builtin = allBuiltinResources();
    this.registry.add(...builtin, ...widgets(builtin));
    const admission = new Admission(defaultPlugins({ store: this.store, registry: this.registry }));
    this.writer = new Writer(this.store, () => admission);
    this.deleter = new Deleter(this.writer, () => admission);
    this.client = new LocalClient({ registry: this.registry, writer: this.writer, deleter: this.deleter });
  }

  /** Creates a namespace with its default service account, as the controllers would. */
  async namespace(name: string, labels: { [key: string]: string } = {}): Promise<void> {
    await this.create({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name, ...labels } },
    });
    await this.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } });
  }

  run(...controllers: { stop(): void }[]): void {
    this.#controllers.push(...controllers);
  }

  stop(): void {
    for (const controller of this.#controllers) controller.stop();
  }

  async create(object: JsonObject, options: WriteOptions = {}): Promise<KubeObject> {
    const resource = this.resource(object);
    const { object: decoded } = resource.strategy.decode(cloneJson(object), false);
    const { namespace = '', name = '' } = decoded.metadata;
    return (await this.writer.create(request(resource, namespace, name, 'CreateOptions', options), decoded)).object;
  }

  async update(
    object: KubeObject,
    change: (object: KubeObject) => void,
    subresource = '',
    options: WriteOptions = {},
  ): Promise<KubeObject> {
    const resource = this.resource(object);
    const { namespace = '', name = '' } = object.metadata;
    const written = await this.writer.update({
      ...request(resource, namespace, name, 'UpdateOptions', options),
      subresource,
      change: (live) => {
        const changed = cloneJson(live as JsonObject) as KubeObject;
        change(changed);
        return resource.strategy.decode(changed, false).object;
      },
      allowCreate: false,
      managed: false,
      retry: true,
      uid: undefined,
    });
    return written.object;
  }

  async delete(object: KubeObject): Promise<void> {
    const { namespace = '', name = '' } = object.metadata;
    const deletion = {
      dryRun: false,
      gracePeriodSeconds: 0,
      propagationPolicy: undefined,
      orphanDependents: undefined,
      uid: undefined,
      resourceVersion: undefined,
    };
    await this.deleter.delete({ ...request(this.resource(object), namespace, name, 'DeleteOptions', {}), deletion });
  }

  find(object: KubeObject): KubeObject | undefined {
    const resource = this.resource(object);
    const entry = this.writer.find(resource, object.metadata.namespace ?? '', object.metadata.name ?? '');
    return entry === undefined ? undefined : readEntry(resource, entry);
  }

  get(object: KubeObject): KubeObject {
    const found = this.find(object);
    if (found === undefined) throw new Error(`${object.kind} ${object.metadata.name ?? ''} is gone`);
    return found;
  }

  resource(object: JsonObject): Resource {
    const resource = this.client.resource(String(object['apiVersion']), String(object['kind']));
    if (resource === undefined)
      throw new Error(`no resource for ${String(object['apiVersion'])} ${String(object['kind'])}`);
    return resource;
  }
}

function request(
  resource: Resource,
  namespace: string,
  name: string,
  kind: string,
  options: WriteOptions,
): WriteRequest {
  return {
    resource,
    subresource: '',
    namespace,
    name,
    dryRun: options.dryRun ?? false,
    manager: 'test',
    user: { name: 'tester', uid: 'tester-uid', groups: ['system:masters', 'system:authenticated'] },
    options: { kind, apiVersion: 'meta.k8s.io/v1', ...(options.dryRun === true ? { dryRun: ['All'] } : {}) },
    warn: (text) => options.warnings?.push(text),
  };
}

/** A kind in two versions, in the shape of a ConfigMap. */
function widgets(builtin: readonly Resource[]): Resource[] {
  const shape = builtin.find(({ group, plural }) => group === '' && plural === 'configmaps') as Resource;
  return ['v1', 'v1beta1'].map((version) => {
    const as =
      (apiVersion: string) =>
      (object: KubeObject): KubeObject => ({ ...object, apiVersion });
    return {
      ...shape,
      group: 'example.com',
      version,
      apiVersion: `example.com/${version}`,
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      listKind: 'WidgetList',
      table: 'example.com/widgets',
      storageApiVersion: 'example.com/v1',
      fromStorage: as(`example.com/${version}`),
      toStorage: as('example.com/v1'),
    };
  });
}

/** `refusal` returns the Status with which a promise rejects. */
export async function refusal(promise: Promise<unknown>): Promise<StatusError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

/** `until` waits until the probe returns true; fails after a time limit. */
export async function until(what: string, probe: () => boolean): Promise<void> {
  const deadline = Date.now() + 5000;
  while (!probe()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export function pod(namespace: string, name: string, spec: JsonObject = {}, container: JsonObject = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name },
    spec: { containers: [{ name: 'c', image: 'i', ...container }], ...spec },
  };
}

export const configMap = (namespace: string, name: string, data: { [key: string]: string } = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace, name },
  data,
});
