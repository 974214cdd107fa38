/**
 * OpenShift's controller of TemplateInstances: creates their objects, waits for some of them, and deletes them with the
 * instance.
 */
import type { Cluster } from '@ssvirt/kube/cluster';
import { systemClock } from '@ssvirt/kube/clock';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import { isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject, ObjectKey } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { timestamp } from '../../../server/api/write/write.ts';
import type { World } from '../../world.ts';
import { isDecided, refusalOf, wordsOf } from '../access.ts';
import { templateInstances, type ObjectReference, type TemplateInstance } from '../kinds.ts';
import { created, failed, isFinished, notReady, waiting, withConditions, type ReadyCondition } from './conditions.ts';
import { Instantiation, InstantiateFailure } from './instantiate.ts';
import { isWaitedFor, readinessOf } from './readiness.ts';

export const FINALIZER = 'template.openshift.io/finalizer';

const LONGEST_WAIT_MS = 60 * 60_000;
const LOOK_AGAIN_MS = 5000;

export function instanceController(world: World): Controller {
  const cluster = world.as('template-controller', { events: 'template-instance-finalizer-controller' });
  const instances = cluster.informers.informer(templateInstances);
  const controller = createController({
    name: 'template-instances',
    concurrency: 4,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [watches(instances, enqueueObject, (change) => change.type !== 'deleted')],
    reconcile(key, { signal }) {
      const instance = instances.get(key);
      if (instance === undefined) return Promise.resolve();
      return new InstanceSync(world, cluster, instance, signal).run();
    },
  });
  controller.engage(cluster);
  return controller;
}

class InstanceSync {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #instance: TemplateInstance;
  readonly #signal: AbortSignal;

  constructor(world: World, cluster: Cluster, instance: TemplateInstance, signal: AbortSignal) {
    this.#world = world;
    this.#cluster = cluster;
    this.#instance = instance;
    this.#signal = signal;
  }

  async run(): Promise<Result | void> {
    if (this.#instance.metadata.deletionTimestamp !== undefined) return this.#finalize();
    if (isFinished(this.#instance)) return;
    const { objects, told } = await this.#advance();
    await this.#write(objects, told);
    if (told.includes(waiting)) return { requeueAfterMs: this.#world.scaled(LOOK_AGAIN_MS) };
  }

  async #advance(): Promise<{
    readonly objects: readonly ObjectReference[];
    readonly told: readonly ReadyCondition[];
  }> {
    let objects = (this.#instance.status?.objects ?? []).map(({ ref }) => ref);
    const wanted = this.#instance.spec.template?.['objects'];
    try {
      if (objects.length !== (Array.isArray(wanted) ? wanted.length : 0)) {
        objects = [...(await new Instantiation(this.#cluster.client, this.#instance, this.#signal).run())];
      }
    } catch (error) {
      if (!(error instanceof InstantiateFailure)) throw error;
      return { objects: error.created, told: [failed(error.message)] };
    }
    return { objects, told: await this.#readiness(objects) };
  }

  async #readiness(objects: readonly ObjectReference[]): Promise<readonly ReadyCondition[]> {
    const since = systemClock.now() - Date.parse(this.#instance.metadata.creationTimestamp ?? '');
    if (since > this.#world.scaled(LONGEST_WAIT_MS))
      return [failed('timeout while waiting for template instance to be ready'), notReady];
    for (const reference of objects.filter(isWaitedFor)) {
      const look = await this.#look(reference);
      if (look === 'waiting') return [waiting];
      if (look !== 'ready') return [failed(look), notReady];
    }
    return [created];
  }

  /** Returns `ready`, `waiting`, or why the object never becomes ready. */
  async #look(reference: ObjectReference): Promise<string> {
    const { kind, namespace = '', name, uid } = reference;
    const type = await this.#typeOf(reference);
    const { group, plural: resource } = type;
    const asked = { namespace, verb: 'get', group, resource, name };
    const refused = await refusalOf(this.#cluster.client, this.#instance.spec.requester ?? {}, asked, this.#signal);
    if (refused !== undefined) return refused;
    try {
      const object = await this.#cluster.client.get(type, keyOf(reference), { signal: this.#signal });
      const qualified = group === '' ? resource : `${resource}.${group}`;
      if (object.metadata.uid !== uid) return `${qualified} ${JSON.stringify(name)} not found`;
      const readiness = readinessOf(reference, object as unknown as JsonObject);
      return readiness === 'failed' ? `readiness failed on ${kind} ${namespace}/${name}` : readiness;
    } catch (error) {
      if (!isDecided(error)) throw error;
      return wordsOf(error);
    }
  }

  /** The finalizer is added with the first status: from then on there may be objects to delete. */
  async #write(objects: readonly ObjectReference[], told: readonly ReadyCondition[]): Promise<void> {
    const { metadata, status = {} } = this.#instance;
    const finalizers = metadata.finalizers ?? [];
    await this.#cluster.client.update(
      templateInstances,
      {
        ...this.#instance,
        metadata: {
          ...metadata,
          finalizers: finalizers.includes(FINALIZER) ? finalizers : [...finalizers, FINALIZER],
        },
        status: withConditions({ ...status, objects: objects.map((ref) => ({ ref })) }, told, timestamp()),
      },
      { subresource: 'status', signal: this.#signal },
    );
  }

  async #finalize(): Promise<void> {
    const { metadata, status } = this.#instance;
    if (!(metadata.finalizers ?? []).includes(FINALIZER)) return;
    const problems = (await Promise.all((status?.objects ?? []).map(({ ref }) => this.#delete(ref)))).flat();
    if (problems.length > 0) {
      const message = problems.join(', ');
      this.#cluster.recorder.event(this.#instance, 'Warning', 'DeletionFailure', message);
      throw new Error(`cannot delete what ${keyText(metadata)} has created: ${message}`);
    }
    const finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
    await this.#cluster.client.update(
      templateInstances,
      { ...this.#instance, metadata: { ...metadata, finalizers } },
      { subresource: 'status', signal: this.#signal },
    );
  }

  /** Deletes by name, even if another object has that name by now. */
  async #delete(reference: ObjectReference): Promise<readonly string[]> {
    const foreground = { propagationPolicy: 'Foreground', signal: this.#signal } as const;
    try {
      await this.#cluster.client.delete(await this.#typeOf(reference), keyOf(reference), foreground);
      return [];
    } catch (error) {
      if (isNotFound(error) && error.code !== undefined) return [];
      return [`error deleting ${reference.kind} ${reference.namespace ?? ''}/${reference.name}: ${wordsOf(error)}`];
    }
  }

  #typeOf({ apiVersion, kind }: ObjectReference): ReturnType<Cluster['client']['typeOf']> {
    return this.#cluster.client.typeOf(apiVersion, kind, { signal: this.#signal });
  }
}

function keyOf({ namespace, name }: ObjectReference): ObjectKey {
  return namespace === undefined ? { name } : { namespace, name };
}

function keyText({ namespace = '', name = '' }: KubeObject['metadata']): string {
  return `${namespace}/${name}`;
}
