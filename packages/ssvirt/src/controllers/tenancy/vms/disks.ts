/** Adds disks to an existing VM, and removes them. */
import type { JsonObject } from '../../../db/schema/schema.ts';
import type { OpenVmTask } from '../../../db/vms/vm-work.ts';
import { isConflict, isKind } from '@ssvirt/kube/errors';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import { fields, list } from '../../../kubevirt/facts/reading.ts';
import { vmFacts } from '../../../kubevirt/facts/vm.ts';
import { addedDisk, withoutDisk, type AddedDisk } from '../../../kubevirt/tenant-vm/disks.ts';
import { instanceSpecOf, parted } from '../../../kubevirt/tenant-vm/live.ts';
import { dataVolumeName } from '../../../kubevirt/tenant-vm/names.ts';
import type { DiskSpec, VmSpec } from '../../../kubevirt/tenant-vm/spec.ts';
import { lowerFirst, type DiskTrouble } from '../../../kubevirt/status/disk-fault.ts';
import { Refused, refusalOf } from '../engine/failures.ts';
import { reportTask, type TaskOutcome, type VmAttempt } from './attempt.ts';
import { diskProgress } from './disk-progress.ts';
import { noteRestart, restartWithoutDisk, waitsForItsDisks } from './disk-restart.ts';
import { dataVolumes, virtualMachines } from '../../../fleet/kinds.ts';
import { patchVm, put, wordsOf } from './vm-client.ts';

export function addDisk(attempt: VmAttempt, live: Unstructured, task: OpenVmTask): Promise<TaskOutcome> {
  const name = nameOf(task);
  return orDropped(
    attempt,
    live,
    (spec) => withoutSpec(spec, name),
    () => orTakenBack(attempt, live, name, () => add(attempt, live, task, name)),
  );
}

/** The data of the disk is deleted with it. */
export function removeDisk(attempt: VmAttempt, live: Unstructured, task: OpenVmTask): Promise<TaskOutcome> {
  const name = nameOf(task);
  const before = specIn(attempt, live, name);
  return orDropped(
    attempt,
    live,
    (spec) => withSpec(spec, before),
    () => remove(attempt, live, task, name),
  );
}

/**
 * The disk is added to the VM when its storage exists or only waits for the VM's start. A disk that cannot be provided
 * would prevent the VM from starting.
 */
async function add(attempt: VmAttempt, live: Unstructured, task: OpenVmTask, name: string): Promise<TaskOutcome> {
  const disk = attempt.spec.disks?.find((one) => one.name === name);
  if (hasVolume(live, name)) return disk === undefined ? { kind: 'done', live } : usable(attempt, live, task, name);
  if (disk === undefined) throw new Refused('CONFLICT', `the disk "${name}" was removed before it was added`);
  const { metadata } = live;
  const added = addedDisk(attempt.identity, disk, metadata.uid ?? '');
  await ensureVolume(attempt, task, added, live);
  const { trouble, isReady, waitsForStart, phase } = await diskProgress(attempt, name);
  if (!isReady && !waitsForStart) {
    const sinceMs = await reportWait(attempt, task, waitingForStorage, 50);
    const limitMs = trouble?.passing === false ? attempt.settings.failureMs : attempt.settings.diskMs;
    if (sinceMs >= limitMs) throw notProvided(name, trouble, limitMs);
    return { kind: 'waiting', live, message: waitMessage(name, trouble, phase), sinceMs };
  }
  await reportTask(attempt, task, 'adding the disk to the machine', 70);
  const subresource = { of: 'virtualmachines', subresource: 'addvolume', body: added.addVolumeOptions } as const;
  await unlessThere(() => put(attempt, subresource));
  const now = await seen(attempt, live, task, (vm) => hasVolume(vm, name), 'waits until the machine has the disk');
  return now.kind === 'done' ? usable(attempt, now.live, task, name) : now;
}

const waitingForStorage = 'waiting for the storage of the disk';
const waitingForUse = 'waiting until the machine can use the disk';

/** The disk is in the VM. A disk that is provided at the first start counts as done while the VM is off. */
async function usable(attempt: VmAttempt, live: Unstructured, task: OpenVmTask, name: string): Promise<TaskOutcome> {
  const { trouble, isReady, waitsForStart, phase } = await diskProgress(attempt, name);
  const isOff = vmFacts(live).created !== true;
  if (isReady || (isOff && waitsForStart)) return { kind: 'done', live };
  const sinceMs = await reportWait(attempt, task, waitingForUse, 90);
  if (sinceMs < attempt.settings.diskMs)
    return { kind: 'waiting', live, message: waitMessage(name, trouble, phase), sinceMs };
  const why = trouble === undefined ? '' : `: ${lowerFirst(trouble.cause)}`;
  const message = `the disk "${name}" is in the machine, but its storage was not provided within ${minutes(sinceMs)}${why}. It may still come; remove the disk if it does not`;
  return { kind: 'failed', live, failure: { minorErrorCode: 'CONFLICT', message } };
}

function notProvided(name: string, trouble: DiskTrouble | undefined, afterMs: number): Refused {
  const cause = trouble?.cause ?? `Its disk "${name}" was not provided by its storage within ${minutes(afterMs)}`;
  return new Refused(
    'CONFLICT',
    `${cause}. The disk was not added, and was deleted again: request it again with another storage class or size, or ask an administrator.`,
  );
}

function waitMessage(name: string, trouble: DiskTrouble | undefined, phase: string | undefined): string {
  return trouble === undefined
    ? `waits for the storage of the disk "${name}" (${phase ?? 'not started'})`
    : `waits: ${lowerFirst(trouble.cause)}`;
}

function minutes(ms: number): string {
  return ms < 60_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} minutes`;
}

/** Resolves to how long the task has been at that step. */
async function reportWait(attempt: VmAttempt, task: OpenVmTask, step: string, progress: number): Promise<number> {
  const sinceMs = task.step === step ? task.sinceMs : 0;
  await reportTask(attempt, task, step, progress);
  return sinceMs;
}

async function ensureVolume(attempt: VmAttempt, task: OpenVmTask, added: AddedDisk, live: Unstructured): Promise<void> {
  const { namespace, name } = added.dataVolume.metadata;
  const found = await attempt.client.get(dataVolumes, { namespace, name });
  if (found !== undefined) return requireOwned(found, live, name);
  await reportTask(attempt, task, 'creating the disk', 30);
  await createVolume(attempt, added, live);
}

/** Deletes what was created for a disk that the VM does not get. */
async function orTakenBack(
  attempt: VmAttempt,
  live: Unstructured,
  name: string,
  work: () => Promise<TaskOutcome>,
): Promise<TaskOutcome> {
  try {
    return await work();
  } catch (error) {
    if (refusalOf(error, attempt.claim.cluster) !== undefined && !hasVolume(live, name))
      await deleteVolume(attempt, live, dataVolumeName(attempt.identity.vmName, name));
    throw error;
  }
}

/** A DataVolume of that name that the VM does not own is foreign. */
async function createVolume({ client }: VmAttempt, { dataVolume }: AddedDisk, live: Unstructured): Promise<void> {
  const { namespace, name } = dataVolume.metadata;
  try {
    await client.create(dataVolumes, dataVolume);
  } catch (error) {
    if (!isKind(error, 'AlreadyExists')) throw error;
    const found = await client.get(dataVolumes, { namespace, name });
    if (found !== undefined) requireOwned(found, live, name, error);
  }
}

function requireOwned(found: KubeObject, live: Unstructured, name: string, cause?: unknown): void {
  if (!isOwned(found, live))
    throw new Refused(
      'CONFLICT',
      `the virtual data center has a disk "${name}" that does not belong to this machine`,
      cause,
    );
}

async function remove(attempt: VmAttempt, live: Unstructured, task: OpenVmTask, name: string): Promise<TaskOutcome> {
  const removal = withoutDisk(live, name);
  if (removal.kind === 'refused') throw new Refused('CONFLICT', removal.reason);
  if (removal.kind === 'gone') {
    await deleteVolume(attempt, live, dataVolumeName(attempt.identity.vmName, name));
    return restartWithoutDisk(attempt, live, task);
  }
  if (waitsForItsDisks(live)) await noteRestart(attempt, live, task);
  await reportTask(attempt, task, 'taking the disk out of the machine', 40);
  let now = live;
  if (removal.kind === 'patch') now = await patchVm(attempt, live, removal.patch);
  else {
    const subresource = {
      of: 'virtualmachines',
      subresource: 'removevolume',
      body: removal.removeVolumeOptions,
    } as const;
    await put(attempt, subresource).catch((error: unknown) => {
      if (isConflict(error)) throw new Refused('CONFLICT', wordsOf(error), error);
      throw error;
    });
  }
  if (removal.dataVolume !== undefined) await deleteVolume(attempt, live, removal.dataVolume);
  const message = 'waits until the machine has detached the disk';
  const left = await seen(attempt, now, task, (vm) => !hasVolume(vm, name), message);
  // The task contains the restart now; the next attempt begins it.
  return left.kind === 'done' && waitsForItsDisks(live)
    ? { kind: 'waiting', live: left.live, message, sinceMs: 0 }
    : left;
}

/** Does not delete a disk that was added to the VM by others. */
async function deleteVolume({ client, identity }: VmAttempt, live: Unstructured, name: string): Promise<void> {
  const found = await client.get(dataVolumes, { namespace: identity.namespace, name });
  if (found !== undefined && isOwned(found, live)) await client.delete(dataVolumes, found);
}

/** KubeVirt changes the VM for us, so it is read again. */
async function seen(
  { client, identity }: VmAttempt,
  live: Unstructured,
  { sinceMs }: OpenVmTask,
  isSo: (vm: Unstructured) => boolean,
  message: string,
): Promise<TaskOutcome> {
  const now = await client.get(virtualMachines, { namespace: identity.namespace, name: identity.vmName });
  if (now === undefined || now.metadata.uid !== live.metadata.uid) return { kind: 'waiting', live, message, sinceMs };
  return isSo(now) ? { kind: 'done', live: now } : { kind: 'waiting', live: now, message, sinceMs };
}

/** A refused disk is removed from the desired state. */
async function orDropped(
  { claim }: VmAttempt,
  live: Unstructured,
  spec: (spec: JsonObject) => JsonObject,
  work: () => Promise<TaskOutcome>,
): Promise<TaskOutcome> {
  try {
    return await work();
  } catch (error) {
    const refused = refusalOf(error, claim.cluster);
    if (refused === undefined) throw error;
    return { kind: 'failed', live, failure: refused.failure, dropped: { spec } };
  }
}

async function unlessThere(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isConflict(error)) throw error;
  }
}

function nameOf({ details }: OpenVmTask): string {
  const { disk } = details;
  return typeof disk === 'string' ? disk : '';
}

function hasVolume(vm: Unstructured, name: string): boolean {
  return parted(instanceSpecOf(vm)['volumes'], name)[0] !== undefined;
}

function isOwned({ metadata }: KubeObject, vm: Unstructured): boolean {
  return metadata.ownerReferences?.some(({ uid }) => uid === vm.metadata.uid) === true;
}

/**
 * The disk as the row described it. Undefined if the row did not contain it: the disk of a template, or a foreign one.
 */
function specIn({ identity }: VmAttempt, live: Unstructured, name: string): DiskSpec | undefined {
  const [volume] = parted(instanceSpecOf(live)['volumes'], name);
  const { name: dataVolume, hotpluggable } = fields(volume?.['dataVolume']);
  if (dataVolume !== dataVolumeName(identity.vmName, name)) return undefined;
  const bytes = vmFacts(live).disks?.find((disk) => disk.name === name)?.bytes ?? 0;
  return { name, sizeMb: Math.ceil(bytes / 2 ** 20), ...(hotpluggable === true ? { added: true } : {}) };
}

function withSpec(spec: JsonObject, disk: DiskSpec | undefined): JsonObject {
  const others = disksOf(spec);
  if (disk === undefined || others.some(({ name }) => name === disk.name)) return spec;
  return { ...spec, disks: [...others, disk], storageMb: storageOf(spec) + disk.sizeMb };
}

function withoutSpec(spec: JsonObject, name: string): JsonObject {
  const all = disksOf(spec);
  const gone = all.find((disk) => disk.name === name);
  if (gone === undefined) return spec;
  const disks = all.filter((disk) => disk !== gone);
  return { ...spec, disks, storageMb: Math.max(0, storageOf(spec) - gone.sizeMb) };
}

function disksOf(spec: JsonObject): VmSpec['disks'] {
  return list(spec['disks']) as VmSpec['disks'];
}

function storageOf({ storageMb }: JsonObject): number {
  return typeof storageMb === 'number' ? storageMb : 0;
}
