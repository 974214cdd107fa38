/** kube-scheduler for pods that name it: places them, or reports why it cannot, and retries when something changes. */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject, type Target } from '@ssvirt/kube/controller/handlers';
import { annotationChanged } from '@ssvirt/kube/controller/predicates';
import { external, watches } from '@ssvirt/kube/controller/sources';
import type { Result } from '@ssvirt/kube/controller/request';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isConflict, isKind, isNotFound } from '@ssvirt/kube/errors';
import { keyOf, keyOfObject, parseKey, type ObjectKey, type Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json } from '../../values/json.ts';
import { objectAt } from '../../objects/kinds/values/fields.ts';
import { suffers } from '../faults.ts';
import { persistentVolumeClaims, pods as podType, type PersistentVolumeClaim, type Pod } from '../kubevirt/objects.ts';
import { faultsTurned } from '../sources.ts';
import type { World } from '../world.ts';
import { amountsOf, requestsOf, type NodeAmounts } from './amounts.ts';
import { isEnded, nodeCaches, type NodeCaches } from './caches.ts';
import { podsMeant, podsOfVm } from './meant.ts';
import { Ledger } from './ledger.ts';
import { fullness, misfit, refusedMessage, unschedulableMessage, type Candidate, type Misfit } from './node-fit.ts';
import { SELECTED_NODE, verdictOnClaims, type ClaimLookup, type ClaimsVerdict } from './pod-claims.ts';
import { sufferingPod } from './sufferers.ts';

/** Pods that could not be placed are retried together, this long after resources were released. */
const RETRY_MS = 1000;

export function scheduler(world: World): Controller {
  const cluster = world.as('default-scheduler');
  const part = new Scheduler(world, cluster, nodeCaches(cluster));
  const controller = createController({
    name: 'scheduler',
    concurrency: 32,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => part.sources(),
    reconcile: (key) => part.schedule(key),
  });
  controller.engage(cluster);
  return controller;
}

class Scheduler {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #caches: NodeCaches;
  readonly #ledger = new Ledger();
  /** Pods that could not be placed. */
  readonly #waiting = new Set<string>();
  readonly #again = external('capacity');
  readonly #allocatable = new WeakMap<object, NodeAmounts>();
  #timer: NodeJS.Timeout | undefined;

  constructor(world: World, cluster: Cluster, caches: NodeCaches) {
    this.#world = world;
    this.#cluster = cluster;
    this.#caches = caches;
    // The ledger must count a pod before the next one is placed, so it uses an informer handler and no queue.
    caches.pods.addHandler({
      name: 'scheduler-ledger',
      added: (pod) => this.#saw(pod),
      updated: (_, pod) => this.#saw(pod),
      deleted: (pod) => {
        this.#waiting.delete(keyOf(pod.metadata));
        if (this.#ledger.release(pod.metadata.uid ?? '')) this.#stir();
      },
    });
    world.signal.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
  }

  sources(): ReturnType<Parameters<typeof createController>[0]['sources']> {
    const { pods, nodes, claims } = this.#caches;
    return [
      watches(pods, enqueueObject, ({ object }) => isOurs(object)),
      watches(
        nodes,
        () => this.#waitingTargets(),
        (change) => change.type !== 'updated' || placesChanged(change),
      ),
      watches(
        claims,
        enqueueMapped(({ metadata: { namespace = '', name = '' } }) =>
          this.#caches.podsUsing(namespace, name).filter(isOurs).map(keyOfObject),
        ),
      ),
      watches(this.#caches.classes, () => this.#waitingTargets()),
      // A fault in the annotations of a VM may have been removed.
      watches(
        this.#caches.vms,
        enqueueMapped((vm) => podsOfVm(this.#caches, vm)),
        annotationChanged,
      ),
      this.#again,
      faultsTurned(this.#world, (fault) => podsMeant(this.#caches, fault)),
    ];
  }

  async schedule(key: ObjectKey): Promise<Result | void> {
    const pod = this.#caches.pods.get(key);
    if (pod === undefined || !isOurs(pod)) {
      this.#waiting.delete(keyOf(key));
      return;
    }
    const uid = pod.metadata.uid ?? '';
    const claims = verdictOnClaims(pod, this.#lookup());
    const nodes = this.#caches.nodes.list();
    if (claims.refusal !== undefined) return this.#refuse(pod, refusedMessage(claims.refusal, nodes.length));
    if (suffers(this.#world.dials, 'unschedulable', sufferingPod(this.#caches, pod)))
      return this.#refuse(pod, unschedulableMessage(nodes.map(() => short)));
    const requests = requestsOf(pod);
    const found = this.#promised(uid, claims) ?? this.#place({ pod, requests, ...claims }, nodes);
    if (typeof found !== 'string') return this.#refuse(pod, unschedulableMessage(found));
    this.#ledger.take(uid, found, requests);
    this.#waiting.delete(keyOf(key));
    if (claims.waiting.length > 0) return this.#select(claims.waiting, found);
    await this.#bind(pod, found);
  }

  /**
   * Returns the node that was chosen before, unless a shared PVC has selected another one in the meantime: two pods
   * must not keep changing it.
   */
  #promised(uid: string, { selectedNode, volumeTerms }: ClaimsVerdict): string | undefined {
    const node = this.#ledger.nodeOf(uid);
    if (volumeTerms.length === 0 && (selectedNode === undefined || selectedNode === node)) return node;
    this.#ledger.release(uid);
    return undefined;
  }

  #saw(pod: Pod): void {
    if (this.#ledger.saw(pod)) this.#stir();
  }

  /** Resources were released: all waiting pods are retried soon, together. */
  #stir(): void {
    if (this.#waiting.size === 0) return;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        for (const target of this.#waitingTargets()) this.#again.push({ cluster: this.#cluster.name, ...target });
      },
      Math.max(50, this.#world.scaled(RETRY_MS)),
    ).unref();
  }

  #waitingTargets(): readonly Target[] {
    return [...this.#waiting].map(parseKey);
  }

  #lookup(): ClaimLookup {
    const { claims, volumes, classes } = this.#caches;
    return {
      claim: (namespace, name) => claims.get({ namespace, name }),
      volume: (name) => volumes.get({ name }),
      storageClass: (name) => classes.get({ name }),
    };
  }

  /** Returns the node with the most room, or the reasons for each node. */
  #place(
    wanted: Parameters<typeof misfit>[0] & { readonly selectedNode?: string },
    nodes: readonly Unstructured[],
  ): string | readonly Misfit[] {
    const misfits: Misfit[] = [];
    let best: { readonly name: string; readonly full: number } | undefined;
    for (const node of nodes) {
      const candidate = this.#candidate(node);
      const name = node.metadata.name ?? '';
      const wrong = misfit(wanted, candidate) ?? elsewhere(wanted.selectedNode, name);
      if (wrong !== undefined) {
        misfits.push(wrong);
        continue;
      }
      const full = fullness(wanted.requests, candidate);
      if (best === undefined || full < best.full) best = { name, full };
    }
    return best?.name ?? misfits;
  }

  #candidate(node: Unstructured): Candidate {
    const name = node.metadata.name ?? '';
    const status = node['status'] as Json | undefined;
    const known = this.#allocatable.get(node);
    const allocatable = known ?? amountsOf(objectAt(isObject(status) ? status : undefined, 'allocatable'));
    if (known === undefined) this.#allocatable.set(node, allocatable);
    return {
      node,
      allocatable,
      taken: this.#ledger.taken(name),
      pods: () => this.#caches.podsOn(name).filter((pod) => !isEnded(pod)),
    };
  }

  async #refuse(pod: Pod, message: string): Promise<void> {
    this.#ledger.release(pod.metadata.uid ?? '');
    this.#waiting.add(keyOf(pod.metadata));
    const known = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (known?.status === 'False' && known.message === message) return;
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      lastProbeTime: null,
      lastTransitionTime: known?.status === 'False' ? known.lastTransitionTime : now,
      reason: 'Unschedulable',
      message,
    };
    await this.#cluster.client
      .patch(
        podType,
        keyOfObject(pod),
        { type: 'strategic', body: { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } } },
        { subresource: 'status' },
      )
      .catch(ignoreGone);
    this.#cluster.recorder.event(withKind(pod), 'Warning', 'FailedScheduling', message);
  }

  /**
   * Records the node on the PVCs, so that the provisioner creates the volumes there. The pod is bound after the PVCs.
   */
  async #select(claims: readonly PersistentVolumeClaim[], node: string): Promise<void> {
    for (const claim of claims) {
      if (claim.metadata.annotations?.[SELECTED_NODE] === node) continue;
      const body = {
        metadata: {
          uid: claim.metadata.uid,
          resourceVersion: claim.metadata.resourceVersion,
          annotations: { [SELECTED_NODE]: node },
        },
      };
      await this.#cluster.client.patch(persistentVolumeClaims, keyOfObject(claim), { type: 'merge', body });
    }
  }

  async #bind(pod: Pod, node: string): Promise<void> {
    const { namespace = '', name = '', uid } = pod.metadata;
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, ...(uid === undefined ? {} : { uid }) },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    };
    try {
      await this.#cluster.client.createSubresource(podType, { namespace, name }, 'binding', body);
    } catch (error) {
      // The pod is already bound, by a write that the cache does not show yet, or gone.
      if (isConflict(error)) return;
      this.#ledger.release(uid ?? '');
      if (isNotFound(error)) return;
      throw error;
    }
    const message = `Successfully assigned ${namespace}/${name} to ${node}`;
    this.#cluster.recorder.event(withKind(pod), 'Normal', 'Scheduled', message);
  }
}

const short: Misfit = { reasons: ['Insufficient memory'], helpless: false };

function elsewhere(selected: string | undefined, name: string): Misfit | undefined {
  if (selected === undefined || selected === name) return undefined;
  return { reasons: ["node(s) didn't match PersistentVolume's node affinity"], helpless: true };
}

function isOurs(pod: Pod): boolean {
  return (
    pod.spec.nodeName === undefined &&
    pod.spec['schedulerName'] === 'default-scheduler' &&
    pod.metadata.deletionTimestamp === undefined &&
    !isEnded(pod) &&
    !Array.isArray(pod.spec['schedulingGates'])
  );
}

/** A heartbeat does not change what fits on a node. */
function placesChanged({ before, object }: { readonly before: Unstructured; readonly object: Unstructured }): boolean {
  const looked = ({ metadata, spec, status }: Unstructured): string =>
    JSON.stringify([metadata.labels, spec, (status as { allocatable?: unknown } | undefined)?.allocatable]);
  return looked(before) !== looked(object);
}

function withKind(pod: Pod): Pod {
  return { ...pod, apiVersion: 'v1', kind: 'Pod' };
}

function ignoreGone(error: unknown): void {
  if (!isKind(error, 'NotFound', 'Conflict')) throw error;
}
