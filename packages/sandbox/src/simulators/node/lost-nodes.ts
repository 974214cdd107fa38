/**
 * A node without heartbeat, as handled by Kubernetes' node controller and taint eviction. Its kubelet and virt-handler
 * stand still, so its pods stay in deletion until they are force-deleted.
 */
import type { Result } from '@ssvirt/kube/controller/request';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind } from '@ssvirt/kube/errors';
import { keyOfObject, type Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json } from '../../values/json.ts';
import { listAt, textAt } from '../../objects/kinds/values/fields.ts';
import { nodes as nodeType, pods as podType, type Pod } from '../kubevirt/objects.ts';
import { Stopwatch } from '../stopwatch.ts';
import type { World } from '../world.ts';
import { isEnded, type NodeCaches } from './caches.ts';
import { conditionsOf } from './fleet.ts';
import { conditionOf } from './pod-status.ts';
import { timestamp } from './timestamp.ts';

const SILENCE_MS = 40_000;
/** Kubernetes' default toleration of an unreachable node. */
const PATIENCE_MS = 300_000;
const RECHECK_MS = 10_000;

const UNREACHABLE = 'node.kubernetes.io/unreachable';

export class LostNodes {
  readonly #world: World;
  readonly #cluster: Cluster;
  readonly #caches: NodeCaches;
  readonly #watch = new Stopwatch();

  constructor(world: World, cluster: Cluster, caches: NodeCaches) {
    this.#world = world;
    this.#cluster = cluster;
    this.#caches = caches;
  }

  found(name: string): void {
    this.#watch.forget(name);
  }

  async sync(node: Unstructured): Promise<Result> {
    const name = node.metadata.name ?? '';
    const unheard = this.#watch.left(name, 'lost', this.#world.scaled(SILENCE_MS));
    if (unheard > 0) return { requeueAfterMs: unheard };
    await this.#mark(node, name);
    const patience = this.#watch.left(name, 'unresponsive', this.#world.scaled(PATIENCE_MS));
    if (patience > 0) return { requeueAfterMs: patience };
    await this.#evict(name);
    return { requeueAfterMs: Math.max(200, this.#world.scaled(RECHECK_MS)) };
  }

  async #mark(node: Unstructured, name: string): Promise<void> {
    const { client, recorder } = this.#cluster;
    const status = node['status'] as Json | undefined;
    const known = listAt(isObject(status) ? status : undefined, 'conditions');
    const now = timestamp();
    let latest = node;
    if (known.some((one) => one['type'] === 'Ready' && one['status'] !== 'Unknown')) {
      const conditions = conditionsOf(true, now, known);
      latest = await client.patch(
        nodeType,
        { name },
        { type: 'strategic', body: { status: { conditions } } },
        { subresource: 'status' },
      );
      recorder.event(
        { ...node, apiVersion: 'v1', kind: 'Node' },
        'Normal',
        'NodeNotReady',
        `Node ${name} status is now: NodeNotReady`,
      );
    }
    const spec = latest['spec'] as Json | undefined;
    const taints = listAt(isObject(spec) ? spec : undefined, 'taints');
    if (!taints.some((taint) => textAt(taint, 'key') === UNREACHABLE)) {
      const added = ['NoSchedule', 'NoExecute'].map((effect) => ({ key: UNREACHABLE, effect, timeAdded: now }));
      // The patch replaces the whole list: the resourceVersion protects taints that were added concurrently.
      const { resourceVersion } = latest.metadata;
      const body = { metadata: { resourceVersion }, spec: { taints: [...taints, ...added] } };
      await client.patch(nodeType, { name }, { type: 'merge', body });
    }
    for (const pod of this.#caches.podsOn(name)) await this.#markPod(pod, now);
  }

  async #markPod(pod: Pod, now: string): Promise<void> {
    if (conditionOf(pod, 'Ready')?.status !== 'True') return;
    const condition = { type: 'Ready', status: 'False', lastTransitionTime: now };
    const body = { metadata: { uid: pod.metadata.uid }, status: { conditions: [condition] } };
    await this.#cluster.client
      .patch(podType, keyOfObject(pod), { type: 'strategic', body }, { subresource: 'status' })
      .catch(ignoreGone);
  }

  async #evict(name: string): Promise<void> {
    for (const pod of this.#caches.podsOn(name)) {
      if (pod.metadata.deletionTimestamp !== undefined || isEnded(pod) || staysForEver(pod)) continue;
      const { uid } = pod.metadata;
      await this.#cluster.client.delete(podType, keyOfObject(pod), uid === undefined ? {} : { uid }).catch(ignoreGone);
    }
  }
}

function staysForEver(pod: Pod): boolean {
  return listAt(pod.spec, 'tolerations').some(
    (toleration) =>
      (textAt(toleration, 'key') === UNREACHABLE || textAt(toleration, 'key') === '') &&
      textAt(toleration, 'operator') === 'Exists' &&
      toleration['tolerationSeconds'] === undefined,
  );
}

function ignoreGone(error: unknown): void {
  if (!isKind(error, 'NotFound', 'Conflict', 'Invalid')) throw error;
}
