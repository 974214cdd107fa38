/**
 * Fills the PVC of a DataVolume: directly if the PVC is bound first, else through a prime PVC whose volume it gets when
 * the prime is filled.
 */
import type { Result } from '@ssvirt/kube/controller/request';
import { isKind } from '@ssvirt/kube/errors';
import { keyOfObject, type Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json } from '../../../values/json.ts';
import { objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import { suffers } from '../../faults.ts';
import { SELECTED_NODE } from '../../node/pod-claims.ts';
import {
  persistentVolumeClaims,
  persistentVolumes,
  type DataVolume,
  type PersistentVolumeClaim,
} from '../../kubevirt/objects.ts';
import { populatorKinds, populatorSourceOf, primeName, primeOf } from './claim.ts';
import { failureText } from '../failure-text.ts';
import { messageOf, populatorTypes } from './make-claim.ts';
import * as name from '../names.ts';
import type { Origin } from '../origin.ts';
import { awaitsConsumer, usesPopulator } from '../phase.ts';
import { isBusy, tell, tellOfClaim, type CdiShell } from '../shell.ts';
import { conditionIn } from '../status.ts';
import { cloneStrategyOf } from '../storage-profile.ts';
import { nextStep, type TransferFacts, type TransferTimes } from '../imports/transfer.ts';

export interface Filling {
  readonly dataVolume: DataVolume;
  readonly claim: PersistentVolumeClaim;
  readonly origin: Origin;
  readonly waits: boolean;
}

export interface Filled extends Result {
  readonly claim: PersistentVolumeClaim;
}

const SHORT_MS = 2000;
const TICK_MS = 2000;
/** Updates at shorter intervals could not be read. */
const SHORTEST_TICK_MS = 500;
const FAILING_MS = 1500;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;
/** Endless failures are retried with a pause at any speed. */
const SHORTEST_PAUSE_MS = 100;
const QUOTA_RETRY_MS = 10_000;
const NO_UPLOADS = `This cluster is simulated and takes no uploads: the annotation ${name.UPLOADED} says that it is done`;

export async function fill(shell: CdiShell, filling: Filling): Promise<Filled> {
  const { claim } = filling;
  if (claim.metadata.deletionTimestamp !== undefined || isSettled(filling)) return { claim };
  return usesPopulator(claim) ? throughPrime(shell, filling) : directly(shell, filling);
}

function isSettled({ dataVolume, claim, origin }: Filling): boolean {
  return (
    origin.kind === 'external' ||
    claim.status?.phase === 'Lost' ||
    claim.metadata.annotations?.[name.POPULATED_FOR] === dataVolume.metadata.name
  );
}

async function directly(shell: CdiShell, filling: Filling): Promise<Filled> {
  const { claim, dataVolume } = filling;
  if (claim.status?.phase !== 'Bound' || claim.metadata.annotations?.[name.POD_PHASE] === 'Succeeded') return { claim };
  // The phase PVCBound is shown before the transfer begins.
  if (['', 'Pending', 'WaitForFirstConsumer'].includes(dataVolume.status?.phase ?? ''))
    return { claim, requeueAfterMs: 1 };
  return step(shell, filling, true);
}

async function throughPrime(shell: CdiShell, filling: Filling): Promise<Filled> {
  const { claim, origin, waits } = filling;
  const { namespace = '', annotations = {} } = claim.metadata;
  if (claim.status?.phase === 'Bound') return { claim };
  if (awaitsConsumer(claim, waits)) return { claim };
  const prime = shell.caches.claims.get({ namespace, name: primeName(claim, origin) });
  if (prime === undefined) {
    // The volume of the prime is being rebound to the PVC.
    if (annotations[name.POD_PHASE] === 'Succeeded') return { claim };
    if (!sourceIsReady(shell, origin)) return { claim };
    const refusal = await createPrime(shell, filling);
    if (refusal !== undefined) return { claim, requeueAfterMs: retryMs(shell, QUOTA_RETRY_MS) };
    return step(shell, filling, false);
  }
  const bound = prime.status?.phase === 'Bound';
  const filled = await step(shell, filling, bound);
  if (filled.claim.metadata.annotations?.[name.POD_PHASE] === 'Succeeded' && bound)
    await rebind(shell, prime, filled.claim);
  return filled;
}

const retryMs = ({ world }: CdiShell, ms: number): number => Math.max(500, world.scaled(ms));

/** A PVC that is still being filled is cloned only after that. */
function sourceIsReady({ caches }: CdiShell, origin: Origin): boolean {
  if (origin.kind !== 'clone' || origin.of !== 'pvc') return true;
  const dataVolume = caches.dataVolumes.get(origin);
  const claim = caches.claims.get(origin);
  if (claim === undefined) return false;
  return claim.status?.phase === 'Bound' && (dataVolume === undefined || dataVolume.status?.phase === 'Succeeded');
}

async function createPrime(shell: CdiShell, { claim, origin, waits }: Filling): Promise<string | undefined> {
  const node = waits ? (claim.metadata.annotations?.[SELECTED_NODE] ?? anyNode(shell, claim)) : undefined;
  try {
    await shell.cluster.client.create(persistentVolumeClaims, primeOf(claim, { origin, node }));
  } catch (error) {
    if (isKind(error, 'AlreadyExists')) return undefined;
    if (!isKind(error, 'Forbidden')) throw error;
    tellOfClaim(shell, claim, ['Warning', 'errCreatingPVCPrime', messageOf(error)]);
    return messageOf(error);
  }
  tellOfClaim(shell, claim, ['Normal', 'createdPVCPrimeSuccessfully', 'PVC Prime created successfully']);
  return undefined;
}

/** The pod that fills the PVC would be its first consumer, and could run on any node. */
function anyNode({ caches }: CdiShell, { metadata }: PersistentVolumeClaim): string | undefined {
  const nodes = caches.nodes.list();
  const place = Number.parseInt((metadata.uid ?? '0').slice(0, 8), 16) || 0;
  return nodes[place % nodes.length]?.metadata.name;
}

async function step(shell: CdiShell, filling: Filling, bound: boolean): Promise<Filled> {
  const { claim, dataVolume, origin } = filling;
  const next = nextStep(factsOf(shell, filling, bound));
  if (next.do === 'finish') return { claim };
  if (next.do === 'wait') return { claim, ...(next.afterMs === undefined ? {} : { requeueAfterMs: next.afterMs }) };
  const prime = usesPopulator(claim) && claim.metadata.annotations?.[name.PRIME] === undefined;
  const pod = origin.kind === 'import' && !usesPopulator(claim);
  const body = {
    metadata: {
      uid: claim.metadata.uid,
      annotations: {
        ...next.annotations,
        ...(prime ? { [name.PRIME]: primeName(claim, origin) } : {}),
        ...(pod ? { [name.IMPORT_POD]: `importer-${dataVolume.metadata.name ?? ''}` } : {}),
      },
    },
  };
  if (origin.kind === 'upload' && next.annotations[name.RUNNING] === 'true')
    tell(shell, dataVolume, ['Warning', 'UploadNotTaken', NO_UPLOADS]);
  const marked = await shell.cluster.client.patch(persistentVolumeClaims, keyOfObject(claim), { type: 'merge', body });
  return { claim: marked, requeueAfterMs: Math.max(1, next.afterMs ?? 1) };
}

function factsOf(shell: CdiShell, filling: Filling, bound: boolean): TransferFacts {
  const { dataVolume, claim, origin } = filling;
  const { uid = '', annotations = {} } = claim.metadata;
  const running = conditionIn(dataVolume.status ?? {}, 'Running');
  // The start of the transfer is read from the API, so that a restarted simulator continues where it was.
  const isGoingOn = (running?.status === 'True') === (annotations[name.RUNNING] === 'true');
  const since = isGoingOn && annotations[name.POD_PHASE] === 'Running' ? running?.lastTransitionTime : undefined;
  return {
    annotations,
    bound,
    what: ({ clone: 'Clone', upload: 'Upload' } as const)[origin.kind as 'clone' | 'upload'] ?? 'Import',
    failure: fails(shell, dataVolume) ? failureText(origin) : undefined,
    times: timesOf(shell, filling),
    ...(origin.kind === 'clone' ? { clonePhase: clonePhaseOf(shell, claim) } : {}),
    left: (stage, total) => shell.watch.left(uid, stage, total, stage.startsWith('told') ? undefined : since),
  };
}

function fails({ world, caches }: CdiShell, { metadata }: DataVolume): boolean {
  const { namespace = '', name: called = '', annotations, ownerReferences = [] } = metadata;
  const owner = ownerReferences.find(({ kind }) => kind === 'VirtualMachine')?.name;
  const vm = owner === undefined ? undefined : caches.vms.get({ namespace, name: owner });
  return suffers(world.dials, 'import-fails', {
    namespace,
    names: owner === undefined ? [called] : [called, owner],
    annotations: [annotations, vm?.metadata.annotations],
  });
}

function clonePhaseOf({ caches }: CdiShell, { spec }: PersistentVolumeClaim): 'HostClone' | 'CSIClone' | 'Snapshot' {
  const strategy = cloneStrategyOf(caches.profiles.get({ name: textAt(spec, 'storageClassName') }));
  return ({ copy: 'HostClone', 'csi-clone': 'CSIClone', snapshot: 'Snapshot' } as const)[strategy];
}

function timesOf(shell: CdiShell, filling: Filling): TransferTimes {
  const { world } = shell;
  return {
    start: world.scaled(world.dials.podStartMs),
    failing: world.scaled(FAILING_MS),
    transfer: transferMs(shell, filling),
    tick: Math.max(SHORTEST_TICK_MS, world.scaled(TICK_MS)),
    pause: (tries) =>
      Math.max(SHORTEST_PAUSE_MS, world.scaled(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries))),
  };
}

function transferMs(shell: CdiShell, { dataVolume, claim, origin }: Filling): number {
  const { world } = shell;
  const { importMs } = world.dials;
  if (origin.kind === 'upload')
    return dataVolume.metadata.annotations?.[name.UPLOADED] === undefined ? Number.POSITIVE_INFINITY : 0;
  const isShort = origin.kind === 'import' ? origin.source === 'none' : clonePhaseOf(shell, claim) !== 'HostClone';
  return world.scaled(isShort ? Math.min(SHORT_MS, importMs) : importMs);
}

/** Rebinds the volume: the binder sees from its claimRef that it belongs to the PVC. */
async function rebind(shell: CdiShell, prime: PersistentVolumeClaim, claim: PersistentVolumeClaim): Promise<void> {
  const volume = shell.caches.volumes.get({ name: textAt(prime.spec, 'volumeName') });
  if (volume === undefined || claimRefUid(volume) === claim.metadata.uid) return;
  const { namespace = '', name: called = '', uid = '', resourceVersion = '' } = claim.metadata;
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name: called, uid, resourceVersion };
  const body = { metadata: { resourceVersion: volume.metadata.resourceVersion }, spec: { claimRef } };
  await shell.cluster.client.patch(persistentVolumes, keyOfObject(volume), { type: 'merge', body });
}

function claimRefUid(volume: Unstructured): string {
  const spec = volume['spec'] as Json | undefined;
  return textAt(objectAt(isObject(spec) ? spec : undefined, 'claimRef'), 'uid');
}

/** `cleanUp` removes what was needed to fill a PVC, after the PVC is bound and its DataVolume reports success. */
export async function cleanUp(shell: CdiShell, { dataVolume, claim, origin }: Filling): Promise<void> {
  const { client } = shell.cluster;
  const { namespace = '', uid = '', name: called = '', annotations = {} } = claim.metadata;
  if (!usesPopulator(claim) || claim.status?.phase !== 'Bound' || annotations[name.POD_PHASE] !== 'Succeeded') return;
  shell.watch.forget(uid);
  const prime = shell.caches.claims.get({ namespace, name: primeName(claim, origin) });
  if (prime !== undefined && prime.metadata.deletionTimestamp === undefined)
    await client.delete(persistentVolumeClaims, keyOfObject(prime)).catch(mayBeGone);
  if (dataVolume.status?.phase === 'Succeeded' || origin.kind === 'external' || origin.kind === 'unknown') return;
  if (origin.kind === 'import')
    tellOfClaim(shell, claim, ['Normal', 'importSucceeded', `Successfully imported into ${called}`]);
  // If it is left, it is removed with its DataVolume, which owns it.
  if (isBusy(shell)) return;
  const kind = populatorKinds[origin.kind];
  const source = populatorSourceOf(dataVolume, kind, origin);
  await client.delete(populatorTypes[kind], source).catch(mayBeGone);
}

function mayBeGone(error: unknown): void {
  if (!isKind(error, 'NotFound', 'Conflict')) throw error;
}
