/** The kubelets of the simulated nodes: they start pods, report readiness, and end and delete pods. */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject } from '@ssvirt/kube/controller/handlers';
import { annotationChanged } from '@ssvirt/kube/controller/predicates';
import type { Result } from '@ssvirt/kube/controller/request';
import type { Source } from '@ssvirt/kube/controller/source';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import { keyOfObject, type ObjectKey } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { JsonObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { suffers } from '../faults.ts';
import { pods as podType, type Pod } from '../kubevirt/objects.ts';
import { faultsTurned } from '../sources.ts';
import { Stopwatch } from '../stopwatch.ts';
import type { World } from '../world.ts';
import { Addresses } from './addresses.ts';
import { claimsOf, isEnded, isLauncher, isTemporary, nodeCaches, vmiNameOf, type NodeCaches } from './caches.ts';
import { indexOfNode, nodeAddress, SIMULATED_LABEL } from './fleet.ts';
import { ImagePulls } from './image-pulls.ts';
import { fateOf } from './launcher.ts';
import { podsMeant, podsOfVm } from './meant.ts';
import { conditionOf, creatingStatus, endedStatus, readyAgain, runningStatus } from './pod-status.ts';
import { sufferingPod } from './sufferers.ts';
import { timestamp, toldToEnd } from './timestamp.ts';

/** For shorter times, the creation of containers would not be seen, and each write costs. */
const VISIBLE_MS = 400;
/** Above this speed, the events for pulling, creating and starting containers are left out. */
const BUSY_SPEED = 20;
const TERMINATION_MS = 500;
const JOB_MS = 3000;
const MOUNT_RETRY_MS = 5000;

const secrets: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  namespaced: true,
};
const configMaps: ResourceType = { ...secrets, kind: 'ConfigMap', plural: 'configmaps' };

export function kubelet(world: World): Controller {
  const cluster = world.as('kubelet');
  const part = new Kubelet(world, cluster, nodeCaches(cluster));
  const controller = createController({
    name: 'kubelet',
    concurrency: 64,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => part.sources(),
    reconcile: (key) => part.sync(key),
  });
  controller.engage(cluster);
  return controller;
}

class Kubelet {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #caches: NodeCaches;
  readonly #addresses = new Addresses();
  readonly #watch = new Stopwatch();
  readonly #pulls: ImagePulls;

  constructor(world: World, cluster: Cluster, caches: NodeCaches) {
    this.#world = world;
    this.#cluster = cluster;
    this.#caches = caches;
    this.#pulls = new ImagePulls(world, this.#watch);
    caches.pods.addHandler({
      name: 'kubelet-addresses',
      added: (pod) => this.#addresses.saw(pod),
      updated: (_, pod) => this.#addresses.saw(pod),
      deleted: ({ metadata: { uid = '' } }) => {
        this.#addresses.release(uid);
        this.#watch.forget(uid);
        this.#pulls.forget(uid);
      },
    });
  }

  sources(): readonly Source[] {
    const caches = this.#caches;
    return [
      watches(caches.pods, enqueueObject, ({ object }) => object.spec.nodeName !== undefined),
      // A launcher pod lives and ends with its guest.
      watches(
        caches.vmis,
        enqueueMapped(({ metadata }) => caches.launchersOf(metadata.uid ?? '').map(keyOfObject)),
        (change) =>
          change.type !== 'updated' ||
          change.before.status?.phase !== change.object.status?.phase ||
          change.before.metadata.annotations !== change.object.metadata.annotations ||
          change.before.status?.migrationState !== change.object.status?.migrationState,
      ),
      watches(
        caches.vms,
        enqueueMapped((vm) => podsOfVm(caches, vm)),
        annotationChanged,
      ),
      watches(
        caches.claims,
        enqueueMapped(({ metadata: { namespace = '', name = '' } }) =>
          caches.podsUsing(namespace, name).filter(isPending).map(keyOfObject),
        ),
      ),
      faultsTurned(this.#world, (fault) => podsMeant(caches, fault)),
    ];
  }

  async sync(key: ObjectKey): Promise<Result | void> {
    const pod = this.#caches.pods.get(key);
    const node = pod?.spec.nodeName;
    if (pod === undefined || node === undefined || !this.#isOurs(node)) return;
    if (suffers(this.#world.dials, 'node-lost', { node })) return;
    if (pod.metadata.deletionTimestamp !== undefined) return this.#terminate(pod);
    if (isEnded(pod)) return;
    if (pod.status?.phase === 'Running') return this.#keep(pod);
    return this.#start(pod, node);
  }

  #isOurs(node: string): boolean {
    return this.#caches.nodes.get({ name: node })?.metadata.labels?.[SIMULATED_LABEL] === 'true';
  }

  async #start(pod: Pod, node: string): Promise<Result | void> {
    const { uid = '' } = pod.metadata;
    const since = conditionOf(pod, 'PodScheduled')?.lastTransitionTime;
    const total = this.#world.scaled(this.#world.dials.podStartMs);
    const left = this.#watch.left(uid, 'start', total, since);
    const hostIP = nodeAddress(indexOfNode(node));
    const now = timestamp();
    if (pod.status?.['startTime'] === undefined && total >= VISIBLE_MS) {
      await this.#write(pod, creatingStatus(pod, hostIP, now));
      return { requeueAfterMs: Math.max(1, left) };
    }
    if (left > 0) return { requeueAfterMs: left };
    if (!this.#claimsAreBound(pod)) return;
    const missing = await this.#missingMount(pod);
    if (missing !== undefined) {
      this.#event(pod, 'Warning', 'FailedMount', missing);
      return { requeueAfterMs: Math.max(100, this.#world.scaled(MOUNT_RETRY_MS)) };
    }
    const broken = suffers(this.#world.dials, 'image-pull-error', sufferingPod(this.#caches, pod));
    const pull = this.#pulls.next(pod, broken);
    if (pull !== undefined) {
      for (const [type, reason, message] of pull.events) this.#event(pod, type, reason, message);
      if (pull.status !== undefined) await this.#write(pod, pull.status);
      return { requeueAfterMs: pull.afterMs };
    }
    const podIP = pod.spec['hostNetwork'] === true ? hostIP : this.#addresses.give(uid, node);
    await this.#write(pod, runningStatus(pod, { hostIP, podIP }, now));
    this.#tellStart(pod);
  }

  async #keep(pod: Pod): Promise<Result | void> {
    const now = timestamp();
    if (isLauncher(pod) && !isTemporary(pod)) {
      const fate = fateOf(pod, this.#vmiOf(pod));
      if (typeof fate === 'object') {
        const left = this.#watch.left(pod.metadata.uid ?? '', 'end', this.#world.scaled(TERMINATION_MS));
        if (left > 0) return { requeueAfterMs: left };
        return this.#write(pod, endedStatus(pod, fate.ended, now));
      }
    }
    if (pod.metadata.ownerReferences?.some(({ kind }) => kind === 'Job') === true) {
      const left = this.#watch.left(pod.metadata.uid ?? '', 'job', this.#world.scaled(JOB_MS));
      if (left > 0) return { requeueAfterMs: left };
      return this.#write(pod, endedStatus(pod, 'Succeeded', now));
    }
    const ready = readyAgain(pod, now);
    if (ready !== undefined) await this.#write(pod, ready);
  }

  async #terminate(pod: Pod): Promise<Result | void> {
    if (isEnded(pod) || pod.status?.phase === 'Pending') return this.#remove(pod);
    const { uid = '', deletionTimestamp = '' } = pod.metadata;
    const grace = graceOf(pod);
    const told = toldToEnd(deletionTimestamp, grace);
    const untilKill = this.#watch.left(uid, 'kill', this.#world.scaled(grace * 1000), told);
    const fate = isLauncher(pod) && !isTemporary(pod) ? fateOf(pod, this.#vmiOf(pod)) : 'empty';
    if (fate === 'lives') {
      if (untilKill > 0) return { requeueAfterMs: untilKill };
      return this.#write(pod, endedStatus(pod, 'Failed', timestamp(), 137));
    }
    const left = Math.min(untilKill, this.#watch.left(uid, 'terminate', this.#world.scaled(TERMINATION_MS)));
    if (left > 0) return { requeueAfterMs: left };
    await this.#write(pod, endedStatus(pod, typeof fate === 'object' ? fate.ended : 'Succeeded', timestamp()));
  }

  #vmiOf(pod: Pod): ReturnType<NodeCaches['vmis']['get']> {
    const name = vmiNameOf(pod);
    return name === undefined ? undefined : this.#caches.vmis.get({ namespace: pod.metadata.namespace ?? '', name });
  }

  #claimsAreBound(pod: Pod): boolean {
    const namespace = pod.metadata.namespace ?? '';
    return claimsOf(pod).every((name) => this.#caches.claims.get({ namespace, name })?.status?.phase === 'Bound');
  }

  /** Returns a missing Secret or ConfigMap that a volume needs. */
  async #missingMount(pod: Pod): Promise<string | undefined> {
    const namespace = pod.metadata.namespace ?? '';
    for (const volume of listAt(pod.spec, 'volumes')) {
      for (const [type, field, nameField, word] of mountable) {
        const source = objectAt(volume, field);
        if (source === undefined || source['optional'] === true) continue;
        const name = textAt(source, nameField);
        try {
          await this.#cluster.client.get(type, { namespace, name }, { metadataOnly: true });
        } catch (error) {
          if (!isNotFound(error)) throw error;
          return `MountVolume.SetUp failed for volume "${textAt(volume, 'name')}" : ${word} "${name}" not found`;
        }
      }
    }
    return undefined;
  }

  async #write(pod: Pod, status: JsonObject): Promise<void> {
    const body = { metadata: { uid: pod.metadata.uid }, status };
    try {
      await this.#cluster.client.patch(
        podType,
        keyOfObject(pod),
        { type: 'strategic', body },
        { subresource: 'status' },
      );
    } catch (error) {
      // The pod is gone, or another one has its name.
      if (!isKind(error, 'NotFound', 'Conflict', 'Invalid')) throw error;
    }
  }

  async #remove(pod: Pod): Promise<void> {
    const { uid } = pod.metadata;
    try {
      await this.#cluster.client.delete(podType, keyOfObject(pod), {
        gracePeriodSeconds: 0,
        ...(uid === undefined ? {} : { uid }),
      });
    } catch (error) {
      if (!isKind(error, 'NotFound', 'Conflict')) throw error;
    }
  }

  #event(pod: Pod, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#cluster.recorder.event({ ...pod, apiVersion: 'v1', kind: 'Pod' }, type, reason, message);
  }

  #tellStart(pod: Pod): void {
    if (this.#world.dials.speed > BUSY_SPEED) return;
    for (const container of listAt(pod.spec, 'containers')) {
      this.#event(
        pod,
        'Normal',
        'Pulled',
        `Container image "${textAt(container, 'image')}" already present on machine`,
      );
      this.#event(pod, 'Normal', 'Created', `Created container: ${textAt(container, 'name')}`);
      this.#event(pod, 'Normal', 'Started', `Started container ${textAt(container, 'name')}`);
    }
  }
}

const mountable = [
  [secrets, 'secret', 'secretName', 'secret'],
  [configMaps, 'configMap', 'name', 'configmap'],
] as const;

const isPending = ({ status }: Pod): boolean => status?.phase === 'Pending';

function graceOf({ metadata, spec }: Pod): number {
  const given = (metadata as { readonly deletionGracePeriodSeconds?: number }).deletionGracePeriodSeconds;
  const asked = spec['terminationGracePeriodSeconds'];
  return given ?? (typeof asked === 'number' ? asked : 30);
}
