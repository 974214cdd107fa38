/** CDI's DataVolume controller: creates a PVC for each DataVolume, fills it and reports the progress. */
import { isDeepStrictEqual } from 'node:util';
import { createController, type Controller } from '@ssvirt/kube/controller/controller';
import { enqueueMapped, enqueueObject } from '@ssvirt/kube/controller/handlers';
import { annotationChanged } from '@ssvirt/kube/controller/predicates';
import type { Result } from '@ssvirt/kube/controller/request';
import type { Source } from '@ssvirt/kube/controller/source';
import { watches } from '@ssvirt/kube/controller/sources';
import { isNotFound } from '@ssvirt/kube/errors';
import { keyOfObject, type ObjectKey } from '@ssvirt/kube/object';
import { textAt } from '../../objects/kinds/values/fields.ts';
import type { SimulatedFault } from '../dials.ts';
import { dataVolumes, type DataVolume, type PersistentVolumeClaim } from '../kubevirt/objects.ts';
import { faultsTurned } from '../sources.ts';
import type { CdiCaches } from './caches.ts';
import { cleanUp, fill } from './claims/fill-claim.ts';
import { adopt, makeClaim, standingOf } from './claims/make-claim.ts';
import { originOf, type Origin } from './origin.ts';
import { changesHands } from './phase.ts';
import { tell, type CdiShell } from './shell.ts';
import { newsOfChange, statusOf, type Problem, type StatusFacts } from './status.ts';
import { chooseClass, waitsForConsumer } from './storage-profile.ts';

const AGAIN_MS = 5000;
/** The time until the cache has seen the deletion too. */
const GONE_MS = 20;

export function dataVolumeController(shell: CdiShell): Controller {
  const { world, cluster } = shell;
  shell.caches.claims.addHandler({
    name: 'cdi-memory',
    added: () => {},
    updated: () => {},
    deleted: ({ metadata: { uid = '' } }) => shell.watch.forget(uid),
  });
  const controller = createController({
    name: 'datavolume',
    concurrency: 32,
    needsLeadership: false,
    log: world.log,
    metrics: world.metrics,
    sources: () => sources(shell),
    reconcile: (key) => sync(shell, key).catch(lookAgain),
  });
  controller.engage(cluster);
  return controller;
}

/** If an object was deleted in the meantime, the reconcile runs again soon and reads a newer cache. */
function lookAgain(error: unknown): Result {
  if (!isNotFound(error)) throw error;
  return { requeueAfterMs: GONE_MS };
}

function sources({ world, caches }: CdiShell): readonly Source[] {
  return [
    watches(caches.dataVolumes, enqueueObject),
    // A DataVolume that has been filled can be cloned.
    watches(
      caches.dataVolumes,
      ({ object: { metadata } }) => caches.cloning(metadata.namespace ?? '', metadata.name ?? '').map(keyOfObject),
      (change) => change.type === 'updated' && change.before.status?.phase !== change.object.status?.phase,
    ),
    watches(
      caches.claims,
      enqueueMapped((claim) => concernedBy(caches, claim)),
    ),
    watches(caches.dataSources, ({ object: { metadata } }) =>
      caches.following(metadata.namespace ?? '', metadata.name ?? '').map(keyOfObject),
    ),
    watches(caches.classes, () => caches.withoutPhase().map(keyOfObject)),
    watches(caches.profiles, () => caches.withoutPhase().map(keyOfObject)),
    watches(
      caches.vms,
      enqueueMapped(({ metadata }) => caches.ofVm(metadata.namespace ?? '', metadata.name ?? '').map(keyOfObject)),
      annotationChanged,
    ),
    // These are only read: a change of them wakes no DataVolume.
    ...[caches.volumes, caches.configs, caches.nodes].map((informer) => watches(informer, () => [])),
    faultsTurned(world, (fault) => meantBy(caches, fault)),
  ];
}

/**
 * A PVC belongs to its DataVolume, a prime PVC to its target PVC; DataVolumes that wait to clone the PVC are woken too.
 */
function concernedBy(caches: CdiCaches, { metadata }: PersistentVolumeClaim): readonly ObjectKey[] {
  const { namespace = '', name = '', ownerReferences = [] } = metadata;
  const target = ownerReferences.find(({ kind }) => kind === 'PersistentVolumeClaim')?.name;
  const cloning = caches.cloning(namespace, name).map(keyOfObject);
  return [{ namespace, name: target ?? name }, ...cloning];
}

function meantBy(caches: CdiCaches, { kind, namespace, name }: SimulatedFault): readonly ObjectKey[] {
  if (kind !== 'import-fails') return [];
  const all = caches.dataVolumes.list(namespace).filter(({ status }) => status?.phase !== 'Succeeded');
  const isMeant = ({ metadata }: DataVolume): boolean =>
    name === undefined ||
    metadata.name === name ||
    (metadata.ownerReferences ?? []).some((owner) => owner.name === name);
  return all.filter(isMeant).map(keyOfObject);
}

async function sync(shell: CdiShell, key: ObjectKey): Promise<Result | void> {
  const { caches } = shell;
  const dataVolume = caches.dataVolumes.get(key);
  if (dataVolume === undefined || dataVolume.metadata.deletionTimestamp !== undefined) return;
  const origin = originOf(dataVolume, (namespace, name) => caches.dataSources.get({ namespace, name }));
  if (origin.kind === 'unknown') return;
  const claim = caches.claims.get(key);
  return claim === undefined ? withoutClaim(shell, dataVolume, origin) : withClaim(shell, dataVolume, origin, claim);
}

async function withoutClaim(shell: CdiShell, dataVolume: DataVolume, origin: Origin): Promise<Result | void> {
  const made = await makeClaim(shell, dataVolume, origin);
  if (made === 'hopeless') return;
  if ('claim' in made) return advance(shell, made.dataVolume, origin, made.claim);
  await writeStatus(shell, { dataVolume, origin, claim: undefined, waits: false, problem: made.problem });
  if (made.again === true) return { requeueAfterMs: Math.max(500, shell.world.scaled(AGAIN_MS)) };
}

async function withClaim(
  shell: CdiShell,
  dataVolume: DataVolume,
  origin: Origin,
  claim: PersistentVolumeClaim,
): Promise<Result | void> {
  const { name = '', deletionTimestamp } = claim.metadata;
  const standing = standingOf(claim, dataVolume);
  if (deletionTimestamp !== undefined) {
    tell(shell, dataVolume, ['Warning', 'ErrResourceMarkedForDeletion', `Resource "${name}" marked for deletion`]);
    return;
  }
  if (standing === 'foreign') {
    const message = `Resource "${name}" already exists and is not managed by DataVolume`;
    tell(shell, dataVolume, ['Warning', 'ErrResourceExists', message]);
    return;
  }
  const own = standing === 'own' ? claim : await adopt(shell, claim, dataVolume);
  return advance(shell, dataVolume, origin, own);
}

async function advance(
  shell: CdiShell,
  dataVolume: DataVolume,
  origin: Origin,
  found: PersistentVolumeClaim,
): Promise<Result | void> {
  const storageClass = chooseClass(shell.caches.classes.list(), {
    name: textAt(found.spec, 'storageClassName'),
    forMachines: false,
  });
  const waits = waitsForConsumer(storageClass);
  const { claim, requeueAfterMs } = await fill(shell, { dataVolume, claim: found, origin, waits });
  // The status becomes Succeeded only when the PVC is bound, too.
  if (!changesHands(claim)) await writeStatus(shell, { dataVolume, origin, claim, waits });
  await cleanUp(shell, { dataVolume, origin, claim, waits });
  if (requeueAfterMs !== undefined) return { requeueAfterMs };
}

interface Outcome extends Omit<StatusFacts, 'now'> {
  readonly problem?: Problem;
}

/** One write, and only if the status has changed. */
async function writeStatus(shell: CdiShell, outcome: Outcome): Promise<void> {
  const { dataVolume } = outcome;
  const facts: StatusFacts = { ...outcome, now: new Date() };
  const status = statusOf(facts);
  if (isDeepStrictEqual(status, dataVolume.status)) return;
  const body = {
    metadata: { uid: dataVolume.metadata.uid },
    status: { ...status, ...(status.phase === undefined ? { phase: null } : {}) },
  };
  try {
    await shell.cluster.client.patch(
      dataVolumes,
      keyOfObject(dataVolume),
      { type: 'merge', body },
      { subresource: 'status' },
    );
  } catch (error) {
    if (isNotFound(error)) return;
    throw error;
  }
  for (const news of newsOfChange(status, facts)) tell(shell, dataVolume, news);
}
