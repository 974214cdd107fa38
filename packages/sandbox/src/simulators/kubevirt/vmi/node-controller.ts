/**
 * virt-controller's node controller: if the heartbeat of virt-handler is too old, the node becomes unschedulable for
 * VMIs, and its VMIs without a pod fail.
 */
import { createController } from '@ssvirt/kube/controller/controller';
import { enqueueObject } from '@ssvirt/kube/controller/handlers';
import type { Request, Result } from '@ssvirt/kube/controller/request';
import { watches } from '@ssvirt/kube/controller/sources';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import { keyOfObject, type Unstructured } from '@ssvirt/kube/object';
import type { World } from '../../world.ts';
import { nodes, virtualMachineInstances, type Pod, type VirtualMachineInstance } from '../objects.ts';
import { CONTROLLER_INDEX, cachesOf } from './caches.ts';
import { annotations, labels } from './names.ts';
import { isFinal, nodeOf, type ContainerStatus } from './pods.ts';

const UNRESPONSIVE = 'NodeUnresponsive';
const HEARTBEAT_TIMEOUT_MS = 5 * 60_000;
const RECHECK_MS = 60_000;
/** Minimum at any speed: heartbeats have whole seconds and are not written continuously. */
const SHORTEST_TIMEOUT_MS = 15_000;
const SHORTEST_RECHECK_MS = 2000;
const NODE_INDEX = 'kubevirt-node';

export function nodeController(world: World): Runnable {
  const controller = createController({
    name: 'kubevirt-node',
    needsLeadership: false,
    onSyncTimeout: 'wait',
    log: world.log,
    metrics: world.metrics,
    sources: (cluster) => {
      const { vmis } = cachesOf(cluster);
      vmis.addIndex(NODE_INDEX, ({ status }) => (status?.nodeName === undefined ? [] : [status.nodeName]));
      const known = cluster.informers.informer(nodes);
      return [
        watches(known, enqueueObject),
        // An existing node is reconciled by its own changes: waking it with every change of a VMI would be too
        // frequent.
        watches(vmis, ({ type, object: { status } }) => {
          const name = status?.nodeName ?? '';
          return name === '' || type === 'deleted' || known.get({ name }) !== undefined ? [] : [{ name }];
        }),
      ];
    },
    reconcile: (request, context) => reconcile(world, request, context),
  });
  controller.engage(world.as('virt-controller'));
  return controller;
}

async function reconcile(world: World, { name }: Request, { cluster, signal }: ClusterContext): Promise<Result | void> {
  const node = cluster.informers.informer(nodes).get({ name });
  if (isUnresponsive(node, Date.now(), Math.max(SHORTEST_TIMEOUT_MS, world.scaled(HEARTBEAT_TIMEOUT_MS)))) {
    if (node?.metadata.labels?.[labels.schedulable] === 'true') await markUnschedulable(cluster, node, signal);
    for (const vmi of orphans(cluster, name)) await fail(cluster, vmi, signal);
  }
  if (node !== undefined) return { requeueAfterMs: Math.max(SHORTEST_RECHECK_MS, world.scaled(RECHECK_MS)) };
}

/**
 * A node without any heartbeat has no virt-handler yet and counts as responsive; a node that does not exist counts as
 * unresponsive.
 */
export function isUnresponsive(node: Unstructured | undefined, now: number, timeoutMs: number): boolean {
  if (node === undefined) return true;
  const heartbeat = Date.parse(node.metadata.annotations?.[annotations.heartbeat] ?? '');
  return !Number.isNaN(heartbeat) && heartbeat < now - timeoutMs;
}

async function markUnschedulable(cluster: Cluster, node: Unstructured, signal: AbortSignal): Promise<void> {
  const message = 'virt-handler is not responsive, marking node as unresponsive';
  cluster.recorder.event(node, 'Normal', UNRESPONSIVE, message);
  const body = { metadata: { labels: { [labels.schedulable]: 'false' } } };
  await cluster.client.patch(nodes, keyOfObject(node), { type: 'merge', body }, { signal });
}

/** VMIs that have not ended although none of their pods is alive on the node. */
function orphans(cluster: Cluster, node: string): readonly VirtualMachineInstance[] {
  const caches = cachesOf(cluster);
  return caches.vmis.byIndex(NODE_INDEX, node).filter(({ status, metadata }) => {
    if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
    return !caches.pods
      .byIndex(CONTROLLER_INDEX, metadata.uid ?? '')
      .some((pod) => nodeOf(pod) === node && isAlive(pod));
  });
}

export function isAlive(pod: Pod): boolean {
  const containers = (pod.status?.containerStatuses ?? []) as unknown as readonly ContainerStatus[];
  const ended = containers.length > 0 && containers.every(({ state }) => state?.terminated !== undefined);
  return !ended && !isFinal(pod);
}

async function fail(cluster: Cluster, vmi: VirtualMachineInstance, signal: AbortSignal): Promise<void> {
  const node = vmi.status?.nodeName ?? '';
  const message = `virt-handler on node ${node} is not responsive, marking VMI as failed`;
  cluster.recorder.event(vmi, 'Normal', UNRESPONSIVE, message);
  const operations = [
    { op: 'test', path: '/metadata/uid', value: vmi.metadata.uid },
    { op: 'replace', path: '/status/phase', value: 'Failed' },
    { op: 'add', path: '/status/reason', value: UNRESPONSIVE },
  ] as const;
  await cluster.client.patch(virtualMachineInstances, keyOfObject(vmi), { type: 'json', operations }, { signal });
}
