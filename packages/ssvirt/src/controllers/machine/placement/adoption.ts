/**
 * Adopts a VirtualMachine that existed before its Machine. One write to the VirtualMachine decides: it adds the labels
 * of the Machine, and an annotation with the settings at adoption. That annotation also lists what is left to do, so
 * that any later reconcile can finish it.
 */
import {
  adoptedKinds,
  findVirtualMachine,
  planAdoption,
  findAdoptionCandidates,
  usedBy,
} from '../../../fleet/placement/adoption.ts';
import { claimUsers } from '../../../fleet/placement/claim-users.ts';
import { childOwnership, type Claimant } from '../../../fleet/placement/ownership.ts';
import { claims, dataVolumes, instances, secrets, virtualMachines } from '../../../fleet/kinds.ts';
import type { BoundedMap } from '@ssvirt/kube/bounded-map';
import { isConflict, isKind, isNotFound } from '@ssvirt/kube/errors';
import { keyOf, type KubeObject, type ObjectMeta } from '@ssvirt/kube/object';
import { ownEntriesAnnotation } from '@ssvirt/kube/reconcile/atomic-lists';
import { isDeleting } from '@ssvirt/kube/reconcile/finalizers';
import { lockOn } from '@ssvirt/kube/reconcile/merge-patch';
import { parentUidOf } from '@ssvirt/kube/reconcile/owners';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { adoptedSettings, type AdoptedSettings } from '../../../kubevirt/machine/adopted.ts';
import { noteOf } from '../../../kubevirt/machine/build.ts';
import { childLabels, findingLabels } from '../../../kubevirt/machine/identity.ts';
import { vmName } from '../../../kubevirt/machine/names.ts';
import { annotations, group, type MachineProblem } from '../../../kubevirt/machine/resource.ts';
import { fields, type Fields } from '../../../kubevirt/facts/reading.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { asked, askedToApply, problem } from '../step-halted.ts';
import { byClaim } from '../caches.ts';
import { byExistingClaim, byUid } from '../supervisor.ts';
import { haveSecretRights, secretsForbidden } from '../children/secret-rights.ts';
import { isStripped, refused } from '../children/virtual-machine.ts';
import { isOurs, type MachineWork } from '../work.ts';

/** Machines whose adoption is complete, by uid: their children are not read again. */
export type Adoptions = BoundedMap<string, true>;

export function isAdopting({ machine }: Pick<MachineWork, 'machine'>): boolean {
  return machine.metadata.annotations?.[annotations.adopt] === 'true';
}

/** `settingsOf` returns the settings of the VirtualMachine when it was adopted; undefined if it was created for the Machine. */
export function settingsOf(work: MachineWork): AdoptedSettings | undefined {
  const vm = work.caches.vms.get(vmKey(work));
  if (vm === undefined || !isOurs(work)(vm)) return undefined;
  const settings = adoptedSettings(vm.metadata.annotations);
  if (settings !== undefined || vm.metadata.annotations?.[annotations.adopted] === undefined) return settings;
  const message =
    `the annotation ${annotations.adopted} of VirtualMachine "${keyOf(vm.metadata)}" in cluster "${work.member.name}", which records its settings at adoption, cannot be parsed: ` +
    `restore its value, or remove the annotation to reset the virtual machine to the Machine and its template`;
  throw problem('virtual machine', { reason: 'AdoptionRefused', message }, lookAgainMs);
}

export function claimantOf({ identity, operator, caches, member }: MachineWork): Claimant {
  const { machines } = operator.supervisor;
  const liveMachine: Claimant['liveMachine'] = (uid) => machines.byIndex(byUid, uid)[0];
  return {
    identity,
    liveMachine,
    claimUsers(name) {
      const key = keyOf({ namespace: identity.namespace, name });
      return claimUsers(identity, {
        vms: [...caches.vms.byIndex(byClaim, key), ...caches.instances.byIndex(byClaim, key)],
        naming: machines
          .byIndex(byExistingClaim, key)
          .filter(({ status }) => status?.kubevirtConfigRef === member.name),
        liveMachine,
      });
    },
  };
}

/**
 * `adoptVirtualMachine` adopts the VirtualMachine of the Machine's name if the Machine asks for it and the
 * VirtualMachine has no other owner. If the Machine does not ask for it, it throws before a disk is created that would
 * be unused.
 */
export async function adoptVirtualMachine(work: MachineWork): Promise<void> {
  const { caches, member, machine, identity, operator, signal } = work;
  const key = vmKey(work);
  const known = caches.vms.get(key);
  if (known !== undefined && isOurs(work)(known)) return;
  const named = `VirtualMachine "${keyOf(key)}"`;
  if (!isAdopting(work)) {
    const found =
      known ??
      (await asked('virtual machine', member.name, `look at ${named}`, () =>
        findVirtualMachine(member.client, identity, signal),
      ));
    if (found !== undefined && isForeign(work, found)) throw refused(work, named);
    return;
  }
  const mayReadSecrets = await haveSecretRights(work);
  const kinds = mayReadSecrets ? adoptedKinds : adoptedKinds.filter((type) => type !== secrets);
  const candidates = await asked('virtual machine', member.name, `look at ${named}`, () =>
    findAdoptionCandidates(member.client, identity, signal, kinds),
  );
  if (candidates === undefined || !isForeign(work, candidates.vm)) return;
  if (!mayReadSecrets && usedBy(candidates.vm).secrets.length > 0)
    throw problem('virtual machine', secretsForbidden(work), lookAgainMs);
  const plan = planAdoption(
    {
      ...claimantOf(work),
      spec: machine.spec,
      hadIt: (machine.status?.observedGeneration ?? 0) > 0,
      cluster: member.name,
    },
    candidates,
  );
  if ('problem' in plan) throw problem('virtual machine', plan.problem, lookAgainMs);
  const body = { metadata: marksOf(work, candidates.vm, plan.settings), ...strategyOf(candidates.vm) };
  await askedToApply('virtual machine', member.name, `adopt ${named}`, () =>
    member.client.patch(virtualMachines, key, { type: 'merge', body }, { signal }),
  );
  operator.event(
    machine,
    'Normal',
    'Adopted',
    `Adopted ${named} in cluster "${member.name}"; settings that the Machine omits are kept`,
  );
}

/** A VirtualMachine that is being deleted is not foreign: the reconcile waits for its end. */
function isForeign(work: MachineWork, vm: KubeObject): boolean {
  return !isDeleting(vm) && !isOurs(work)(vm) && !isStripped(work, vm);
}

/** Clears the record of our own list entries: an entry that the Machine does not state stays. */
function marksOf({ identity }: MachineWork, vm: KubeObject, settings: AdoptedSettings): ObjectMeta {
  const recorded =
    vm.metadata.annotations?.[ownEntriesAnnotation] === undefined ? {} : { [ownEntriesAnnotation]: null };
  return {
    ...lockOn(vm),
    labels: findingLabels(identity),
    annotations: { ...identity.marks.annotations, ...noteOf(settings), ...(recorded as Record<string, string>) },
  };
}

/** `running` and `runStrategy` exclude each other, and an apply does not remove fields of other managers. */
function strategyOf(vm: KubeObject): { readonly spec?: Fields } {
  const { running } = fields(fields(vm)['spec']);
  if (running === undefined) return {};
  return { spec: { running: null, runStrategy: running === true ? 'RerunOnFailure' : 'Halted' } };
}

/**
 * `finishAdoption` labels the objects that the adoption annotation names, and the running instance. Once that is done,
 * it sends no more requests.
 */
export async function finishAdoption(work: MachineWork, adoptions: Adoptions): Promise<void> {
  const { identity } = work;
  const settings = settingsOf(work);
  if (settings === undefined || adoptions.get(identity.uid) === true) return;
  for (const { kind, name } of settings.children) {
    const type = adoptedKinds.find((one) => one.kind === kind);
    if (type !== undefined) await adoptChild(work, type, name);
  }
  await labelInstance(work);
  adoptions.set(identity.uid, true);
}

async function adoptChild(work: MachineWork, type: ResourceType<KubeObject>, name: string): Promise<void> {
  const { identity, member } = work;
  const found = await liveChild(work, type, name);
  if (found === undefined) return;
  const claimant = claimantOf(work);
  const owner = childOwnership(claimant, type, found);
  if (owner.kind === 'own') return;
  // A disk that the former Machine no longer used. Another Machine has attached it since.
  if (owner.kind === 'used' && !claimant.claimUsers(name).isPresent) return;
  if (owner.kind === 'owned' || owner.kind === 'used') {
    const isUsed = owner.kind === 'used';
    const named = `${type.kind} "${identity.namespace}/${name}" in cluster "${member.name}"`;
    const message = `${named}, which the virtual machine uses, ${isUsed ? 'is used by' : 'belongs to'} ${owner.who}${isUsed ? ' too' : ''}: remove that volume from the virtual machine`;
    throw problem('virtual machine', { reason: 'NameConflict', message }, lookAgainMs);
  }
  await takeOver(work, type, found);
}

export async function liveChild(
  { identity, member, signal }: MachineWork,
  type: ResourceType<KubeObject>,
  name: string,
): Promise<KubeObject | undefined> {
  const { namespace } = identity;
  return asked('virtual machine', member.name, `look at ${type.kind} "${namespace}/${name}"`, async () => {
    try {
      return await member.client.get(type, { namespace, name }, { signal, metadataOnly: type.kind === 'Secret' });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  });
}

/** `takeOver` makes the object a child of the Machine. It is then deleted with the Machine. */
export async function takeOver(work: MachineWork, type: ResourceType<KubeObject>, found: KubeObject): Promise<void> {
  const { identity, member, signal } = work;
  const { name = '', namespace = '' } = found.metadata;
  const metadata = {
    ...lockOn(found),
    labels: childLabels(identity),
    annotations: identity.marks.annotations,
    ...ownersOf(work, found),
  };
  await askedToApply('virtual machine', member.name, `adopt ${type.kind} "${namespace}/${name}"`, () =>
    member.client.patch(type, { namespace, name }, { type: 'merge', body: { metadata } }, { signal }),
  );
}

/**
 * Applies only if Machine and child are in one cluster. References to other Machines are removed: the garbage collector
 * deletes an object whose only owner is gone.
 */
function ownersOf({ identity: { owner } }: MachineWork, { metadata }: KubeObject): Pick<ObjectMeta, 'ownerReferences'> {
  const before = metadata.ownerReferences ?? [];
  const others = before.filter(({ kind, apiVersion }) => kind !== 'Machine' || !apiVersion.startsWith(`${group}/`));
  const mine = owner === undefined || others.some(({ controller }) => controller === true) ? [] : [owner];
  return mine.length === 0 && others.length === before.length ? {} : { ownerReferences: [...others, ...mine] };
}

/** `conflict` explains a conflict with an existing object: who owns it, and what to do. */
export function conflict(
  work: MachineWork,
  type: ResourceType<KubeObject>,
  found: KubeObject,
  disk: string | undefined,
): MachineProblem {
  const { identity, member } = work;
  const { namespace, name } = identity;
  const named = `${type.kind} "${keyOf(found.metadata)}" in cluster "${member.name}"`;
  const rename = disk === undefined ? 'use another name for the Machine' : `give the disk "${disk}" another name`;
  const owner = childOwnership(claimantOf(work), type, found);
  if (owner.kind === 'former')
    return {
      reason: 'AdoptionRefused',
      message:
        `${named} was created for another Machine "${namespace}/${name}", which is gone or belongs to another supervisor, and holds its data. Set the annotation ${annotations.adopt}: "true" on the Machine to adopt it ` +
        `("ssvirt machine adopt ${name} -n ${namespace} --dry-run" shows what would change), or ${rename}`,
    };
  if (owner.kind === 'owned') return { reason: 'NameConflict', message: `${named} belongs to ${owner.who}: ${rename}` };
  if (owner.kind === 'used') return { reason: 'NameConflict', message: `${named} is used by ${owner.who}: ${rename}` };
  const use =
    disk === undefined || type === dataVolumes
      ? ''
      : `to use it as it is, set existingClaim: ${found.metadata.name} instead of size for the disk "${disk}"; otherwise `;
  return {
    reason: 'NameConflict',
    message: `${named} exists and was not created for this Machine: ${use}${rename}, or delete it`,
  };
}

/** KubeVirt writes a starting instance many times a second, so conflicts are frequent. */
const labelTries = 10;

/**
 * An instance has the labels that its VM's template had when it was started. Without our labels it would not be in the
 * cache until the VM is restarted.
 */
async function labelInstance(work: MachineWork): Promise<void> {
  const { identity, context } = work;
  for (let tries = 1; ; tries++) {
    try {
      return await labelOnce(work);
    } catch (error) {
      if (isConflict(error) && tries < labelTries) continue;
      // The labels are not essential: without them, addresses and node are shown after the next start of the VM.
      if (!isKind(error, 'Forbidden', 'Invalid', 'BadRequest', 'NotFound', 'Conflict')) throw error;
      context.log.info({ err: error, machine: identity.name, namespace: identity.namespace }, 'cannot label instance');
      return;
    }
  }
}

async function labelOnce(work: MachineWork): Promise<void> {
  const { member, signal, identity } = work;
  const key = vmKey(work);
  const fieldSelector = `metadata.name=${key.name}`;
  const [found] = (await member.client.list(instances, { namespace: key.namespace, fieldSelector, signal })).items;
  if (found === undefined || parentUidOf(found.metadata) === identity.uid) return;
  const metadata = { ...lockOn(found), labels: childLabels(identity), annotations: identity.marks.annotations };
  await member.client.patch(instances, key, { type: 'merge', body: { metadata } }, { signal });
}

function vmKey({ identity }: MachineWork): { readonly namespace: string; readonly name: string } {
  return { namespace: identity.namespace, name: vmName(identity.name) };
}

/**
 * Adopts the claim or DataVolume at the place of a disk if it belonged to a Machine of the same name that is gone, if no
 * other Machine uses it, and if the Machine asks for adoption.
 */
export async function adoptDisk(work: MachineWork, name: string): Promise<void> {
  if (!isAdopting(work)) return;
  for (const type of [claims, dataVolumes]) {
    const found = await liveChild(work, type, name);
    if (found === undefined || isDeleting(found)) continue;
    if (childOwnership(claimantOf(work), type, found).kind === 'former') await takeOver(work, type, found);
  }
}
