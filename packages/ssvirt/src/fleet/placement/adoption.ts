/**
 * Plans the adoption of a VirtualMachine: whether a Machine may adopt it, its settings, and which of the objects that
 * it uses become the Machine's. The operator executes the plan, and `ssvirt machine adopt` prints it.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '@ssvirt/kube/client/client';
import { isNotFound } from '@ssvirt/kube/errors';
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { snapshotOf, type AdoptedChild, type AdoptedSettings } from '../../kubevirt/machine/adopted.ts';
import { claimsOfVm } from '../../kubevirt/machine/claim-volumes.ts';
import { diskName, machineLabel, vmName } from '../../kubevirt/machine/names.ts';
import { labels, managedBy, type MachineSpec, type MachineProblem } from '../../kubevirt/machine/resource.ts';
import { resolveSpec } from '../../kubevirt/machine/resolve.ts';
import { fields, list, text } from '../../kubevirt/facts/reading.ts';
import { claims, dataVolumes, secrets, virtualMachines } from '../kinds.ts';
import { childOwnership, ownershipOf, type Claimant } from './ownership.ts';

/** Kinds that a Machine adopts together with its VirtualMachine. */
export const adoptedKinds: readonly ResourceType<KubeObject>[] = [claims, dataVolumes, secrets];

export interface AdoptionCandidates {
  readonly vm: KubeObject;
  /** All objects that have the Machine's name as a label, and all objects that the VirtualMachine uses. */
  readonly children: readonly { readonly type: ResourceType<KubeObject>; readonly object: KubeObject }[];
}

export interface AdoptionPlan {
  readonly vm: KubeObject;
  readonly settings: AdoptedSettings;
  /** Used by the VirtualMachine, but not adopted. */
  readonly left: readonly AdoptedChild[];
}

/**
 * Returns undefined if there is no VirtualMachine with the Machine's name. `kinds` are those that the caller may read.
 */
export async function findAdoptionCandidates(
  client: Client,
  { namespace, name }: Pick<Claimant['identity'], 'namespace' | 'name'>,
  signal: AbortSignal,
  kinds: readonly ResourceType<KubeObject>[] = adoptedKinds,
): Promise<AdoptionCandidates | undefined> {
  const vm = await findVirtualMachine(client, { namespace, name }, signal);
  if (vm === undefined) return undefined;
  const labelSelector = `${labels.managedBy}=${managedBy},${labels.machine}=${machineLabel(name)}`;
  const marked = await Promise.all(
    kinds.map((type) =>
      served(() => client.list<KubeObject>(type, { namespace, labelSelector, metadataOnly: type === secrets, signal })),
    ),
  );
  const found = kinds.flatMap((type, index) => (marked[index]?.items ?? []).map((object) => ({ type, object })));
  const used = usedBy(vm);
  const missing = kinds.flatMap((type) =>
    (type === secrets ? used.secrets : used.claims)
      .filter((one) => !found.some(({ type: kind, object }) => kind === type && object.metadata.name === one))
      .map((one) => ({ type, name: one })),
  );
  const more = await Promise.all(
    missing.map(async ({ type, name: one }) => ({
      type,
      object: await served(() =>
        client.get<KubeObject>(type, { namespace, name: one }, { signal, metadataOnly: type === secrets }),
      ),
    })),
  );
  return {
    vm,
    children: [...found, ...more.flatMap(({ type, object }) => (object === undefined ? [] : [{ type, object }]))],
  };
}

/** `findVirtualMachine` uses a list: for an absent VirtualMachine, no second request is needed to confirm that it is absent. */
export async function findVirtualMachine(
  client: Client,
  { namespace, name }: Pick<Claimant['identity'], 'namespace' | 'name'>,
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  const fieldSelector = `metadata.name=${vmName(name)}`;
  return (await client.list(virtualMachines, { namespace, fieldSelector, signal })).items[0];
}

/**
 * Returns the names of the claims (a DataVolume has the same name as its claim) and of the Secrets with cloud-init
 * data.
 */
export function usedBy(vm: KubeObject): { readonly claims: readonly string[]; readonly secrets: readonly string[] } {
  const { template } = fields(fields(vm)['spec']);
  const volumes = list(fields(fields(template)['spec'])['volumes']).map(fields);
  const notices = volumes.flatMap(({ cloudInitNoCloud, cloudInitConfigDrive }) =>
    [cloudInitNoCloud, cloudInitConfigDrive].flatMap((one) => [
      text(fields(fields(one)['secretRef'])['name']),
      text(fields(fields(one)['networkDataSecretRef'])['name']),
    ]),
  );
  return {
    claims: claimsOfVm(vm),
    secrets: [...new Set(notices.filter((name) => name !== undefined))],
  };
}

export interface AdoptionQuestion extends Claimant {
  readonly spec: MachineSpec;
  /**
   * The Machine had this VirtualMachine before. If another supervisor has adopted it since, the two would take it from
   * each other forever.
   */
  readonly hadIt: boolean;
  readonly cluster: string;
}

export function planAdoption(
  question: AdoptionQuestion,
  { vm, children }: AdoptionCandidates,
): AdoptionPlan | { readonly problem: MachineProblem } {
  const refused = whyNotVm(question, vm) ?? whyNotChild(question, vm, children);
  if (refused !== undefined) return { problem: refused };
  const { identity, spec } = question;
  const template = spec.template ?? spec.instanceType;
  const found = { ...snapshotOf(vm, identity.name), ...defined({ template }) };
  // Which disks the Machine declares depends on the existing VirtualMachine.
  const resolution = resolveSpec(spec, { ...found, children: [] });
  if ('problem' in resolution) return resolution;
  const own = new Set(
    resolution.resolved.disks
      .filter(({ existingClaim }) => existingClaim === undefined)
      .map((disk) => diskName(identity.name, disk.name)),
  );
  const used = usedBy(vm);
  const isTaken = ({ type, object }: AdoptionCandidates['children'][number]): boolean => {
    const { kind } = childOwnership(question, type, object);
    if (kind !== 'unmarked') return kind === 'own' || kind === 'former';
    const { name = '' } = object.metadata;
    return type !== secrets && own.has(name) && used.claims.includes(name);
  };
  const named = ({ type, object }: AdoptionCandidates['children'][number]): AdoptedChild => ({
    kind: type.kind,
    name: object.metadata.name ?? '',
  });
  return {
    vm,
    settings: { ...found, children: children.filter(isTaken).map(named) },
    left: children.filter((one) => !isTaken(one)).map(named),
  };
}

function whyNotVm(question: AdoptionQuestion, vm: KubeObject): MachineProblem | undefined {
  const { identity, cluster, hadIt } = question;
  const owner = ownershipOf(question, vm);
  const named = `VirtualMachine "${keyOf(vm.metadata)}" exists in cluster "${cluster}" and was not created for Machine "${identity.namespace}/${identity.name}"`;
  const supervisor = vm.metadata.labels?.[labels.supervisor];
  if (owner.kind === 'owned') {
    const message = `${named}. It belongs to ${owner.who}: two controllers would overwrite each other. Use another name for the Machine or, if nothing manages the VirtualMachine any more, remove those labels from it`;
    return { reason: 'AdoptionRefused', message };
  }
  if (!hadIt || supervisor === undefined || supervisor === identity.supervisor) return undefined;
  const message =
    `${named}. Another supervisor (label ${labels.supervisor}: ${supervisor}) has adopted it since: the two supervisors would take it from each other. ` +
    `Delete the Machine there or here; to take it back, remove that label from the VirtualMachine`;
  return { reason: 'AdoptionRefused', message };
}

/**
 * An object that the VirtualMachine uses may belong to another owner, who would delete it or write to it, and another
 * Machine may use a disk that nothing owns.
 */
function whyNotChild(
  question: AdoptionQuestion,
  vm: KubeObject,
  children: AdoptionCandidates['children'],
): MachineProblem | undefined {
  const used = new Set([...usedBy(vm).claims, ...usedBy(vm).secrets]);
  for (const { type, object } of children) {
    const owner = childOwnership(question, type, object);
    if ((owner.kind !== 'owned' && owner.kind !== 'used') || !used.has(object.metadata.name ?? '')) continue;
    const [relation, remedy] =
      owner.kind === 'used'
        ? [`which ${owner.who} uses too`, 'Remove that volume from one of them']
        : [
            `which belongs to ${owner.who}`,
            `Remove that volume from the VirtualMachine or, if nothing manages the disk any more, remove the labels from the ${type.kind}`,
          ];
    const message =
      `VirtualMachine "${keyOf(vm.metadata)}" in cluster "${question.cluster}" uses ${type.kind} "${object.metadata.name}", ${relation}: ` +
      `it is not adopted while two share one disk. ${remedy}`;
    return { reason: 'AdoptionRefused', message };
  }
  return undefined;
}

/** Maps "not found" to undefined, whether the kind or the object is missing. */
async function served<T>(request: () => Promise<T>): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
