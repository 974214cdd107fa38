/**
 * Shows the pods that fill PVCs. Nothing depends on them, so they do not slow down an import. They exist while a PVC is
 * being filled, if nodes are simulated and the import is long enough to see a pod.
 */
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped } from '@ssvirt/kube/controller/handlers';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind } from '@ssvirt/kube/errors';
import { controllerOf } from '@ssvirt/kube/reconcile/owners';
import { keyOfObject, type ObjectKey } from '@ssvirt/kube/object';
import { pods, type PersistentVolumeClaim, type Pod } from '../../kubevirt/objects.ts';
import { SIMULATED_LABEL } from '../../node/fleet.ts';
import type { World } from '../../world.ts';
import type { CdiCaches } from '../caches.ts';
import { IMPORTER_LABEL, podFor, podNameFor } from './importer-pod.ts';
import * as name from '../names.ts';
import { tellOfClaim, type CdiShell } from '../shell.ts';

/** A pod that lives for a shorter time would not be seen. */
const VISIBLE_MS = 1000;

export function importerPods(shell: CdiShell): Controller {
  const { world, cluster, caches } = shell;
  const informer = cluster.informers.informer(pods);
  const controller = createController({
    name: 'importer-pods',
    concurrency: 8,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => [
      watches(caches.claims, enqueueMapped(primeOf)),
      watches(informer, enqueueMapped(claimOf)),
      watches(caches.nodes, () => []),
    ],
    async reconcile(key) {
      const prime = caches.claims.get(key);
      for (const podName of podNames(prime, key)) {
        const pod = informer.get({ namespace: key.namespace ?? '', name: podName });
        const isWanted = prime !== undefined && isFilled(caches, prime);
        // The prime annotation may name any PVC: a pod that is not CDI's is not deleted.
        if (pod !== undefined && !isWanted && claimOf(pod).length > 0) await remove(cluster, pod);
        if (pod === undefined && isWanted && isVisible(world, caches)) await create(shell, prime, podName);
      }
    },
  });
  controller.engage(cluster);
  return controller;
}

function primeOf({ metadata }: PersistentVolumeClaim): readonly ObjectKey[] {
  const { namespace = '', annotations = {}, name: own = '' } = metadata;
  const prime = annotations[name.POPULATOR_KIND] === undefined ? annotations[name.PRIME] : own;
  return prime === undefined ? [] : [{ namespace, name: prime }];
}

function claimOf(pod: Pod): readonly ObjectKey[] {
  const owner = controllerOf(pod);
  if (pod.metadata.labels?.[IMPORTER_LABEL] === undefined || owner?.kind !== 'PersistentVolumeClaim') return [];
  return [{ namespace: pod.metadata.namespace ?? '', name: owner.name }];
}

/** For a PVC that is gone, the kind of its pod is unknown. */
function podNames(prime: PersistentVolumeClaim | undefined, { name: called }: ObjectKey): readonly string[] {
  if (prime === undefined) return [`importer-${called}`, `cdi-upload-${called}`];
  const own = podNameFor(prime);
  return own === undefined ? [] : [own];
}

/**
 * The target PVC carries the progress. The volume of a PVC that is being deleted waits until its pod is gone, so the
 * pod is removed first.
 */
function isFilled({ claims }: CdiCaches, prime: PersistentVolumeClaim): boolean {
  const { namespace = '', deletionTimestamp } = prime.metadata;
  const owner = controllerOf(prime);
  const target = owner === undefined ? undefined : claims.get({ namespace, name: owner.name });
  if (deletionTimestamp !== undefined || target === undefined || target.metadata.uid !== owner?.uid) return false;
  return ['Pending', 'Running'].includes(target.metadata.annotations?.[name.POD_PHASE] ?? '');
}

function isVisible(world: World, { nodes }: CdiCaches): boolean {
  const isSimulated = nodes.list().some(({ metadata }) => metadata.labels?.[SIMULATED_LABEL] === 'true');
  return isSimulated && world.scaled(world.dials.importMs) >= VISIBLE_MS;
}

async function create(shell: CdiShell, prime: PersistentVolumeClaim, podName: string): Promise<void> {
  try {
    await shell.cluster.client.create(pods, podFor(prime, podName));
  } catch (error) {
    if (isKind(error, 'AlreadyExists')) return;
    if (!isKind(error, 'Forbidden', 'Invalid')) throw error;
    tellOfClaim(shell, prime, ['Warning', 'ErrImporterPod', error.status?.message ?? error.message]);
  }
}

async function remove({ client }: Cluster, pod: Pod): Promise<void> {
  const { uid, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined) return;
  try {
    await client.delete(pods, keyOfObject(pod), uid === undefined ? {} : { uid });
  } catch (error) {
    if (!isKind(error, 'NotFound', 'Conflict')) throw error;
  }
}
