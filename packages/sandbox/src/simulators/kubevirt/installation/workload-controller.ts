/**
 * Replaces the deployment and daemon set controllers for the workloads that the simulators install: creates pods if
 * nodes are simulated, and always writes a status. Does nothing if a real kube-controller-manager runs.
 */
import { createHash } from 'node:crypto';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import { keyOfObject, type KubeObject, type ObjectKey, type Unstructured } from '@ssvirt/kube/object';
import { controllerReference } from '@ssvirt/kube/reconcile/owners';
import { patchStatus, type WithStatus } from '@ssvirt/kube/reconcile/status-patch';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { now } from '../../../objects/kinds/values/fields.ts';
import { SIMULATED_LABEL } from '../../node/fleet.ts';
import type { Component, World } from '../../world.ts';
import { nodes as nodeType, pods as podType, type Condition, type Pod } from '../objects.ts';
import { daemonSetStatus, deploymentStatus, type Counts } from './workload-status.ts';
import { daemonSets, deployments, replicaSets, VIRT_HANDLER, type Workload } from './workloads.ts';

/** The time that a real controller manager gets to act first. */
const COURTESY_MS = 1500;
const OWNED = 'installation/controller';

interface AppsObject extends WithStatus<{ readonly conditions?: readonly Condition[] }> {
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly metadata?: KubeObject['metadata']; readonly spec: object };
  };
}

const known = <T extends AppsObject>(type: ResourceType): ResourceType<T> => type as unknown as ResourceType<T>;
const deploymentType = known<AppsObject>(deployments);
const replicaSetType = known<AppsObject>(replicaSets);
const daemonSetType = known<AppsObject>(daemonSets);

export function workloadController(
  world: World,
  name: string,
  as: Component,
  workloads: readonly Workload[],
  daemons?: Workload,
): Controller {
  const cluster = world.as(as);
  const part = new WorkloadKeeper(cluster, workloads, daemons);
  const controller = createController({
    name,
    concurrency: 4,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => part.sources(),
    reconcile: (key) => part.sync(key),
  });
  controller.engage(cluster);
  return controller;
}

class WorkloadKeeper {
  readonly #cluster: Cluster;
  readonly #names: ReadonlySet<string>;
  readonly #namespace: string;
  readonly #daemons: Workload | undefined;
  readonly #deployments: Informer<AppsObject>;
  readonly #replicaSets: Informer<AppsObject>;
  readonly #daemonSets: Informer<AppsObject>;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Unstructured>;

  constructor(cluster: Cluster, workloads: readonly Workload[], daemons: Workload | undefined) {
    const { informers } = cluster;
    this.#cluster = cluster;
    this.#names = new Set(workloads.map(({ name }) => name));
    this.#namespace = workloads[0]?.namespace ?? '';
    this.#daemons = daemons;
    this.#deployments = informers.informer(deploymentType);
    this.#replicaSets = informers.informer(replicaSetType);
    this.#daemonSets = informers.informer(daemonSetType);
    this.#pods = informers.informer(podType);
    this.#nodes = informers.informer(nodeType);
    const namespace = this.#namespace;
    this.#pods.addIndex(`${OWNED}/${namespace}`, ({ metadata }) =>
      metadata.namespace === namespace ? [controllerUid(metadata), ...handlerMark(metadata)] : [],
    );
  }

  sources(): ReturnType<Parameters<typeof createController>[0]['sources']> {
    const all = (): readonly ObjectKey[] =>
      [...this.#names, VIRT_HANDLER].map((name) => ({ namespace: this.#namespace, name }));
    const ofPod = enqueueMapped<Pod>(({ metadata }) => {
      if (metadata.namespace !== this.#namespace) return [];
      const name = [...this.#names, VIRT_HANDLER].find((one) => metadata.name?.startsWith(`${one}-`));
      return name === undefined ? [] : [{ namespace: this.#namespace, name }];
    });
    return [
      watches(this.#deployments, enqueueObject, ({ object }) => this.#isOurs(object)),
      watches(
        this.#replicaSets,
        () => [],
        () => false,
      ),
      watches(this.#daemonSets, enqueueObject, ({ object }) => this.#isOurs(object)),
      watches(this.#pods, ofPod),
      watches(this.#nodes, all, ({ type }) => type !== 'updated'),
    ];
  }

  #isOurs({ metadata: { namespace, name = '' } }: AppsObject): boolean {
    return namespace === this.#namespace && (this.#names.has(name) || name === this.#daemons?.name);
  }

  async sync(key: ObjectKey): Promise<Result | void> {
    if (key.name === this.#daemons?.name) return this.#syncDaemons(key);
    const deployment = this.#deployments.get(key);
    if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined || isLookedAfter(deployment))
      return;
    if (deployment.status?.conditions === undefined && isYoung(deployment)) return { requeueAfterMs: COURTESY_MS / 3 };
    const replicaSet = await this.#replicaSetOf(deployment);
    if (replicaSet === undefined) return { requeueAfterMs: COURTESY_MS / 3 };
    const counts = await this.#scale(replicaSet, deployment.spec.replicas ?? 1);
    await this.#say(deployment, replicaSet, counts);
  }

  async #replicaSetOf(deployment: AppsObject): Promise<AppsObject | undefined> {
    const { template } = deployment.spec;
    const hash = createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 10);
    const { namespace, name = '', labels } = deployment.metadata;
    const key = { namespace: namespace ?? '', name: `${name}-${hash}` };
    const there = this.#replicaSets.get(key);
    if (there !== undefined) return there;
    const marked = { 'pod-template-hash': hash };
    const made = {
      ...key,
      labels: { ...labels, ...marked },
      ownerReferences: [controllerReference(deployments, deployment)],
    };
    const { metadata } = template;
    const podLabels = { ...metadata?.labels, ...marked };
    try {
      return await this.#cluster.client.create(replicaSetType, {
        apiVersion: 'apps/v1',
        kind: 'ReplicaSet',
        metadata: made,
        spec: {
          replicas: deployment.spec.replicas ?? 1,
          selector: { matchLabels: podLabels },
          template: { ...template, metadata: { ...metadata, labels: podLabels } },
        },
      } as AppsObject);
    } catch (error) {
      if (isKind(error, 'AlreadyExists')) return undefined;
      throw error;
    }
  }

  /** Creates the wanted number of pods if simulated nodes run them; otherwise only reports them as running. */
  async #scale(replicaSet: AppsObject, wanted: number): Promise<Counts> {
    const hasNodes = this.#nodes.list().some(({ metadata }) => metadata.labels?.[SIMULATED_LABEL] === 'true');
    if (!hasNodes) return { wanted, there: wanted, ready: wanted };
    const owned = this.#pods.byIndex(`${OWNED}/${this.#namespace}`, replicaSet.metadata.uid ?? '');
    const alive = owned.filter((pod) => pod.metadata.deletionTimestamp === undefined && !isEnded(pod));
    for (const pod of [...owned.filter(isEnded), ...alive.slice(wanted)]) await this.#delete(pod);
    for (let count = alive.length; count < wanted; count++) await this.#create(replicaSet);
    const kept = alive.slice(0, wanted);
    return { wanted, there: Math.max(kept.length, wanted), ready: kept.filter(isReady).length };
  }

  async #create(replicaSet: AppsObject): Promise<void> {
    const { template } = replicaSet.spec;
    const { namespace, name = '' } = replicaSet.metadata;
    await this.#cluster.client.create(podType, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...template.metadata,
        generateName: `${name}-`,
        ...(namespace === undefined ? {} : { namespace }),
        ownerReferences: [controllerReference(replicaSets, replicaSet)],
      },
      spec: template.spec as Pod['spec'],
    });
  }

  /** Sets the owner as the daemon set controller does, so that `kubectl drain --ignore-daemonsets` ignores the pod. */
  async #adopt(pod: Pod, daemonSet: AppsObject): Promise<void> {
    const { uid, resourceVersion } = pod.metadata;
    const metadata = { uid, resourceVersion, ownerReferences: [controllerReference(daemonSets, daemonSet)] };
    try {
      await this.#cluster.client.patch(podType, keyOfObject(pod), { type: 'merge', body: { metadata } });
    } catch (error) {
      if (!isNotFound(error) && !isKind(error, 'Conflict')) throw error;
    }
  }

  async #delete(pod: Pod): Promise<void> {
    if (pod.metadata.deletionTimestamp !== undefined) return;
    try {
      await this.#cluster.client.delete(podType, keyOfObject(pod));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #say(deployment: AppsObject, replicaSet: AppsObject, counts: Counts): Promise<void> {
    const { client } = this.#cluster;
    const { generation = 1 } = deployment.metadata;
    const name = replicaSet.metadata.name ?? '';
    const before = deployment.status?.conditions ?? [];
    await patchStatus(client, deploymentType, deployment, deploymentStatus(counts, generation, name, before, now()));
    const status = {
      observedGeneration: replicaSet.metadata.generation ?? 1,
      replicas: counts.there,
      fullyLabeledReplicas: counts.there,
      readyReplicas: counts.ready,
      availableReplicas: counts.ready,
    };
    if (replicaSet.spec.replicas !== counts.wanted)
      await client.patch(replicaSetType, keyOfObject(replicaSet), {
        type: 'merge',
        body: { spec: { replicas: counts.wanted } },
      });
    else await patchStatus(client, replicaSetType, replicaSet, status as NonNullable<AppsObject['status']>);
  }

  /** The pods of a daemon set belong to the simulated nodes: each node has one. */
  async #syncDaemons(key: ObjectKey): Promise<void> {
    const daemonSet = this.#daemonSets.get(key);
    const pods = this.#pods.byIndex(`${OWNED}/${this.#namespace}`, VIRT_HANDLER);
    // The real daemon set controller creates pods of its own and labels them with this hash.
    const isReal = pods.some(({ metadata }) => metadata.labels?.['controller-revision-hash'] !== undefined);
    if (daemonSet === undefined || isReal) return;
    for (const pod of pods) if (controllerUid(pod.metadata) === '') await this.#adopt(pod, daemonSet);
    const counts = { wanted: this.#nodes.list().length, there: pods.length, ready: pods.filter(isReady).length };
    const status = daemonSetStatus(counts, daemonSet.metadata.generation ?? 1);
    await patchStatus(this.#cluster.client, daemonSetType, daemonSet, status as NonNullable<AppsObject['status']>);
  }
}

const handlerMark = ({ labels }: AppsObject['metadata']): readonly string[] =>
  labels?.['kubevirt.io'] === VIRT_HANDLER ? [VIRT_HANDLER] : [];

function controllerUid({ ownerReferences = [] }: AppsObject['metadata']): string {
  return ownerReferences.find(({ controller }) => controller === true)?.uid ?? '';
}

/** The real deployment controller sets this annotation on each rollout. */
const isLookedAfter = ({ metadata }: AppsObject): boolean =>
  metadata.annotations?.['deployment.kubernetes.io/revision'] !== undefined;

const isYoung = ({ metadata }: AppsObject): boolean =>
  Date.now() - Date.parse(metadata.creationTimestamp ?? '') < COURTESY_MS;

const isEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
