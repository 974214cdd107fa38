/** Creates the simulated nodes, sends their heartbeats, and marks nodes without heartbeat as lost. */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import { microTime } from '@ssvirt/kube/micro-time';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { Dials } from '../dials.ts';
import { suffers } from '../faults.ts';
import { nodes as nodeType } from '../kubevirt/objects.ts';
import { dialTurned, faultsTurned, given } from '../sources.ts';
import type { World } from '../world.ts';
import { amountOf } from './amounts.ts';
import { nodeCaches, type NodeCaches } from './caches.ts';
import {
  HEARTBEAT_ANNOTATION,
  nodeNames,
  nodeObject,
  nodeStatus,
  SCHEDULABLE_LABEL,
  SIMULATED_LABEL,
} from './fleet.ts';
import { LostNodes } from './lost-nodes.ts';
import { timestamp } from './timestamp.ts';
import { ensureVirtHandlerPod } from './virt-handler-pod.ts';

/** In real time: leases are renewed at the same interval at any speed. */
const LEASE_MS = 30_000;
const SOON_MS = 1000;
/** virt-handler's interval in a real cluster; virt-controller waits for five of them. */
const HEARTBEAT_MS = 60_000;
const SHORTEST_HEARTBEAT_MS = 5000;

const leases: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

export function nodeKeeper(world: World): Controller {
  const cluster = world.as('kubelet');
  const caches = nodeCaches(cluster);
  const part = new NodeKeeper(world, cluster, caches);
  const ours = (): readonly { readonly name: string }[] => nodeNames(world.dials.nodes).map((name) => ({ name }));
  const controller = createController({
    name: 'node-keeper',
    concurrency: 8,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [
      given('nodes', ours),
      dialTurned(world, 'nodes', ours),
      watches(caches.nodes, enqueueObject, (change) => change.type === 'deleted' || needsCare(change.object)),
      faultsTurned(world, (fault) => (fault.node === undefined ? ours() : [{ name: fault.node }])),
    ],
    reconcile: ({ name }) => part.keep(name),
  });
  controller.engage(cluster);
  return controller;
}

class NodeKeeper {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #caches: NodeCaches;
  readonly #lost: LostNodes;
  readonly #renewedAt = new Map<string, number>();

  constructor(world: World, cluster: Cluster, caches: NodeCaches) {
    this.#world = world;
    this.#cluster = cluster;
    this.#caches = caches;
    this.#lost = new LostNodes(world, cluster, caches);
  }

  async keep(name: string): Promise<Result | void> {
    const node = this.#caches.nodes.get({ name });
    if (node === undefined) return this.#create(name);
    if (node.metadata.labels?.[SIMULATED_LABEL] !== 'true') return;
    if (suffers(this.#world.dials, 'node-lost', { node: name })) return this.#lost.sync(node);
    this.#lost.found(name);
    await this.#revive(node);
    await this.#renew(name);
    await this.#beat(node);
    const handled = await ensureVirtHandlerPod(this.#world, this.#caches, name);
    return { requeueAfterMs: handled ? Math.min(LEASE_MS, this.#heartbeatMs()) : SOON_MS };
  }

  async #create(name: string): Promise<Result | void> {
    if (!nodeNames(this.#world.dials.nodes).includes(name)) return;
    try {
      await this.#cluster.client.create(nodeType, nodeObject(name));
    } catch (error) {
      if (!isKind(error, 'AlreadyExists')) throw error;
    }
    return { requeueAfterMs: 1 };
  }

  /** Sets the node to ready, in the size of the dials, and without the taints of nodes that are not ready. */
  async #revive(node: Unstructured): Promise<void> {
    const { client, recorder } = this.#cluster;
    const name = node.metadata.name ?? '';
    const { nodes } = this.#world.dials;
    const wasReady = isReady(node);
    let latest = node;
    if (!wasReady || !isOfSize(node, nodes)) {
      const status = nodeStatus(name, nodes, timestamp(), listAt(part(node, 'status'), 'conditions'));
      latest = await client.patch(nodeType, { name }, { type: 'merge', body: { status } }, { subresource: 'status' });
    }
    if (!wasReady) {
      const message = `Node ${name} status is now: NodeReady`;
      recorder.event({ ...node, apiVersion: 'v1', kind: 'Node' }, 'Normal', 'NodeReady', message);
    }
    const taints = listAt(part(latest, 'spec'), 'taints');
    const left = taints.filter((taint) => !ailments.has(textAt(taint, 'key')));
    if (left.length === taints.length) return;
    // The patch replaces the whole list: the resourceVersion protects taints that were added concurrently.
    const { resourceVersion } = latest.metadata;
    const body = { metadata: { resourceVersion }, spec: { taints: left.length === 0 ? null : left } };
    await client.patch(nodeType, { name }, { type: 'merge', body });
  }

  async #renew(name: string): Promise<void> {
    const { client } = this.#cluster;
    const key = { namespace: 'kube-node-lease', name };
    if (performance.now() - (this.#renewedAt.get(name) ?? -LEASE_MS) < LEASE_MS - SOON_MS) return;
    const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime: microTime(new Date()) };
    try {
      await client.patch(leases, key, { type: 'merge', body: { spec } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: key, spec });
    }
    this.#renewedAt.set(name, performance.now());
  }

  #heartbeatMs(): number {
    return Math.min(HEARTBEAT_MS, Math.max(SHORTEST_HEARTBEAT_MS, this.#world.scaled(HEARTBEAT_MS)));
  }

  /** The heartbeat of virt-handler, once per minute. */
  async #beat(node: Unstructured): Promise<void> {
    const { name = '', annotations, labels } = node.metadata;
    const last = Date.parse(annotations?.[HEARTBEAT_ANNOTATION] ?? '');
    if (labels?.[SCHEDULABLE_LABEL] === 'true' && Date.now() - last < this.#heartbeatMs() - SOON_MS) return;
    const body = {
      metadata: { annotations: { [HEARTBEAT_ANNOTATION]: timestamp() }, labels: { [SCHEDULABLE_LABEL]: 'true' } },
    };
    await this.#world.as('virt-handler', { node: name }).client.patch(nodeType, { name }, { type: 'merge', body });
  }
}

const ailments = new Set(['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable']);

const part = (node: Unstructured, field: string): JsonObject | undefined => {
  const value = node[field] as Json | undefined;
  return isObject(value) ? value : undefined;
};

function isReady(node: Unstructured): boolean {
  const status = part(node, 'status');
  const sound = listAt(status, 'conditions').some((one) => one['type'] === 'Ready' && one['status'] === 'True');
  return sound && objectAt(status, 'allocatable') !== undefined;
}

/** Compares the parsed quantities, because the API may format them differently. */
function isOfSize(node: Unstructured, { cpu, memory }: Dials['nodes']): boolean {
  const has = objectAt(part(node, 'status'), 'allocatable');
  return amountOf(has?.['cpu']) === amountOf(cpu) && amountOf(has?.['memory']) === amountOf(memory);
}

/** Our own heartbeats need no reconcile. */
function needsCare(node: Unstructured): boolean {
  return (
    node.metadata.labels?.[SIMULATED_LABEL] === 'true' &&
    (!isReady(node) || listAt(part(node, 'spec'), 'taints').some((taint) => ailments.has(textAt(taint, 'key'))))
  );
}
