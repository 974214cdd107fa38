/**
 * Determines what adopting the VirtualMachine of a Machine would do, with the operator's own code. It writes nothing.
 */
import { requestIdentity } from '../../fleet/identity/identity-request.ts';
import {
  adoptedKinds,
  planAdoption,
  findAdoptionCandidates,
  usedBy,
  type AdoptionPlan,
} from '../../fleet/placement/adoption.ts';
import { whyNotAttached, type AttachmentQuestion } from '../../fleet/placement/attached-claim.ts';
import { claimUsers, existingClaims } from '../../fleet/placement/claim-users.ts';
import type { Claimant } from '../../fleet/placement/ownership.ts';
import { kubevirtConfigs, localName } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { claims, dataVolumes, instances, secrets, storageClasses, virtualMachines } from '../../fleet/kinds.ts';
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import { resourceName, type ResourceType } from '@ssvirt/kube/resource-type';
import { ownEntriesAnnotation, withForeignEntries } from '@ssvirt/kube/reconcile/atomic-lists';
import { childrenOfKindSelector, controllerReference, isChildOf, parentMarks } from '@ssvirt/kube/reconcile/owners';
import type { AdoptedChild } from '../../kubevirt/machine/adopted.ts';
import { atomicLists, buildVirtualMachine } from '../../kubevirt/machine/build.ts';
import { claimsOfInstance, claimsOfVm } from '../../kubevirt/machine/claim-volumes.ts';
import { cloudInit } from '../../kubevirt/machine/cloud-init.ts';
import { formedSpec } from '../../kubevirt/machine/form.ts';
import type { MachineIdentity } from '../../kubevirt/machine/identity.ts';
import { diskName, machineLabel, vmName } from '../../kubevirt/machine/names.ts';
import { resolveNetworks } from '../../kubevirt/machine/networks.ts';
import { isAttached, resolveSpec, type ResolvedMachine } from '../../kubevirt/machine/resolve.ts';
import {
  annotations,
  labels,
  type NetworkConfigurationSpec,
  type MachineProblem,
} from '../../kubevirt/machine/resource.ts';
import { planDisk } from '../../kubevirt/machine/storage.ts';
import { storageClassFacts, type StorageClassFacts } from '../../kubevirt/machine/storage-class.ts';
import { fields } from '../../kubevirt/facts/reading.ts';
import { ClusterReader, type ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import { changesTo, type AdoptionChange } from './adoption-changes.ts';
import { machines, networkConfigurations, type ShownMachine } from './shown-machine.ts';
import { inMember } from './member.ts';
import { forecastSecrets } from './secret-forecast.ts';

export interface AdoptionCaseOptions {
  readonly namespace: string;
  readonly name: string;
  readonly configsNamespace: string;
  /** The KubevirtConfig to look in, if the Machine is not placed yet. */
  readonly cluster?: string;
}

export type AdoptionCase =
  /** There is no such Machine. */
  | { readonly kind: 'absent' }
  /** The VirtualMachine cannot be read, or there is nothing to adopt. */
  | { readonly kind: 'nothing'; readonly message: string; readonly isWrong: boolean }
  | { readonly kind: 'refused'; readonly cluster: string; readonly problem: MachineProblem }
  | {
      readonly kind: 'plan';
      readonly cluster: string;
      readonly vm: string;
      readonly machine: ShownMachine;
      readonly runs: boolean;
      readonly isAsked: boolean;
      /** Objects that become the Machine's. */
      readonly takes: readonly AdoptedChild[];
      /** Objects that the VirtualMachine uses, but that are not adopted. */
      readonly leaves: readonly AdoptedChild[];
      readonly changes: readonly AdoptionChange[];
      /** New disks, and changes to existing disks. */
      readonly disks: readonly string[];
      /** What the operator does about Secrets, if its rights on them are not known to suffice. */
      readonly notes: readonly string[];
      readonly unread: readonly string[];
    };

export async function adoptionCase(asking: ClusterReaderOptions, question: AdoptionCaseOptions): Promise<AdoptionCase> {
  const { namespace, name, configsNamespace } = question;
  const look = new ClusterReader(asking);
  const found = await look.at(machines, { namespace, name });
  if (found === undefined) return { kind: 'absent' };
  const machine: ShownMachine = { ...found, spec: formedSpec(found.spec) };
  const cluster = await clusterOf(look, machine, question);
  if (typeof cluster !== 'string') return cluster;
  const supervisor = await requestIdentity(asking.client, { signal: asking.signal });
  const all = await look.all(machines);
  const live = new Map(all.map((one) => [one.metadata.uid, { ...one, spec: formedSpec(one.spec) }]));
  const configurations = await networksOf(look, machine);
  const reached = await inMember(asking, look, { namespace: configsNamespace, name: cluster }, (member) =>
    lookedAt(member, machine, { cluster, supervisor, live, configurations, unread: look.unread }),
  );
  if ('found' in reached) return reached.found;
  return {
    kind: 'nothing',
    isWrong: true,
    message: `cluster "${cluster}" cannot be reached from here: ${reached.unreached}`,
  };
}

async function clusterOf(
  look: ClusterReader,
  { metadata, spec, status }: ShownMachine,
  { cluster, configsNamespace }: AdoptionCaseOptions,
): Promise<string | AdoptionCase> {
  const said = [
    status?.kubevirtConfigRef,
    cluster,
    spec.kubevirtConfigRef,
    metadata.annotations?.[annotations.kubevirtConfig],
  ].find((one) => one !== undefined && one !== '');
  if (said !== undefined) return said;
  const names = (await look.all(kubevirtConfigs, configsNamespace)).map(({ metadata: { name = '' } }) => name);
  const [only = localName, ...others] = names;
  if (others.length === 0) return only;
  return {
    kind: 'nothing',
    isWrong: true,
    message: `Machine "${keyOf(metadata)}" is not placed yet: give the cluster to search with --in-cluster (${names.toSorted().join(', ')})`,
  };
}

async function networksOf(
  look: ClusterReader,
  { metadata: { namespace = '' }, spec }: ShownMachine,
): Promise<ReadonlyMap<string, NetworkConfigurationSpec>> {
  const names = [...new Set((spec.networks ?? []).flatMap(({ networkName }) => networkName ?? []))];
  const found = await Promise.all(names.map((name) => look.at(networkConfigurations, { namespace, name })));
  return new Map(
    names.flatMap((name, index) => {
      const one = found[index];
      return one === undefined ? [] : [[name, fields(one['spec'])] as const];
    }),
  );
}

interface Around {
  readonly cluster: string;
  readonly supervisor: string;
  readonly live: ReadonlyMap<string | undefined, ShownMachine>;
  readonly configurations: ReadonlyMap<string, NetworkConfigurationSpec>;
  readonly unread: ReadonlySet<string>;
}

async function lookedAt(member: ClusterReaderOptions, machine: ShownMachine, around: Around): Promise<AdoptionCase> {
  const { cluster } = around;
  const identity = identityOf(machine, around);
  const { namespace, name } = identity;
  const look = new ClusterReader(member);
  const kinds = await readableKinds(look, identity);
  const candidates = await findAdoptionCandidates(member.client, identity, member.signal, kinds);
  const vm = `${namespace}/${vmName(name)}`;
  if (candidates === undefined)
    return {
      kind: 'nothing',
      isWrong: false,
      message: `cluster "${cluster}" has no VirtualMachine "${vm}": there is nothing to adopt, and the operator creates a new one`,
    };
  if (isChildOf(candidates.vm, machine))
    return {
      kind: 'nothing',
      isWrong: false,
      message: `VirtualMachine "${vm}" in cluster "${cluster}" already belongs to the Machine`,
    };
  const secretQuestion = { namespace, cluster, used: usedBy(candidates.vm).secrets, isRead: kinds.includes(secrets) };
  const forecast = await forecastSecrets(look, member, secretQuestion);
  if ('problem' in forecast) return { kind: 'refused', cluster, problem: forecast.problem };
  const question = { ...(await claimantIn(look, identity, around)), machine, cluster };
  const plan = planAdoption(
    { ...question, spec: machine.spec, hadIt: (machine.status?.observedGeneration ?? 0) > 0 },
    candidates,
  );
  if ('problem' in plan) return { kind: 'refused', cluster, problem: plan.problem };
  const wanted = await wantedOf(look, question, plan, around);
  if ('problem' in wanted) return { kind: 'refused', cluster, problem: wanted.problem };
  const instance = await look.at(instances, { namespace, name: vmName(name) });
  return {
    kind: 'plan',
    cluster,
    vm,
    machine,
    runs: instance !== undefined,
    isAsked: machine.metadata.annotations?.[annotations.adopt] === 'true',
    takes: plan.settings.children,
    leaves: plan.left,
    changes: wanted.changes,
    disks: wanted.disks,
    notes: forecast.notes,
    unread: [...new Set([...around.unread, ...look.unread])].toSorted(),
  };
}

/** The kinds of objects that a Machine adopts, as far as the user may read them. `look` records the others. */
async function readableKinds(
  look: ClusterReader,
  { namespace, name }: MachineIdentity,
): Promise<readonly ResourceType<KubeObject>[]> {
  const selector = `${labels.machine}=${machineLabel(name)}`;
  await Promise.all(adoptedKinds.map((type) => look.labelled(type, namespace, selector)));
  return adoptedKinds.filter((type) => !look.unread.has(resourceName(type)));
}

function identityOf(machine: ShownMachine, { cluster, supervisor }: Around): MachineIdentity {
  const { name = '', namespace = '', uid = '', labels = {} } = machine.metadata;
  return {
    name,
    namespace,
    uid,
    labels,
    supervisor,
    marks: parentMarks(machines, machine),
    ...(cluster === localName ? { owner: controllerReference(machines, machine) } : {}),
  };
}

/** Reads what the operator has in its caches: the VMs and instances of this supervisor's Machines. */
async function claimantIn(
  look: ClusterReader,
  identity: MachineIdentity,
  { cluster, live }: Around,
): Promise<Claimant> {
  const { namespace, supervisor } = identity;
  const selector = `${childrenOfKindSelector(machines)},${labels.supervisor}=${supervisor}`;
  const having = [
    ...(await look.all(virtualMachines, namespace, selector)).map((vm) => ({ vm, names: claimsOfVm(vm) })),
    ...(await look.all(instances, namespace, selector)).map((vm) => ({ vm, names: claimsOfInstance(vm) })),
  ];
  const beside = [...live.values()].filter(
    ({ metadata, status }) => metadata.namespace === namespace && status?.kubevirtConfigRef === cluster,
  );
  const liveMachine: Claimant['liveMachine'] = (uid) => live.get(uid);
  return {
    identity,
    liveMachine,
    claimUsers: (claim) =>
      claimUsers(identity, {
        vms: having.filter(({ names }) => names.includes(claim)).map(({ vm }) => vm),
        naming: beside.filter((one) => existingClaims(one).includes(claim)),
        liveMachine,
      }),
  };
}

async function wantedOf(
  look: ClusterReader,
  question: AttachmentQuestion & { readonly machine: ShownMachine },
  plan: AdoptionPlan,
  { configurations }: Around,
): Promise<
  | { readonly changes: readonly AdoptionChange[]; readonly disks: readonly string[] }
  | { readonly problem: MachineProblem }
> {
  const { identity, machine } = question;
  const resolution = resolveSpec(machine.spec, plan.settings);
  if ('problem' in resolution) return resolution;
  const { resolved } = resolution;
  const networks = resolveNetworks(identity, resolved, configurations);
  if ('problem' in networks) return networks;
  // If cloud-init comes from a Secret, only its reference in the VirtualMachine matters here.
  const guest = cloudInit(identity, resolved, '');
  if ('problem' in guest) return guest;
  const disks = await disksOf(look, question, resolved, plan);
  if ('problem' in disks) return disks;
  const desired = buildVirtualMachine(identity, resolved, { networks: networks.networks, cloudInit: guest });
  const { [ownEntriesAnnotation]: _recorded, ...said } = plan.vm.metadata.annotations ?? {};
  const live: KubeObject = { ...plan.vm, metadata: { ...plan.vm.metadata, annotations: said } };
  return { changes: changesTo(live, withForeignEntries(desired, live, atomicLists)), disks: disks.lines };
}

async function disksOf(
  look: ClusterReader,
  question: AttachmentQuestion,
  { disks }: ResolvedMachine,
  { settings }: AdoptionPlan,
): Promise<{ readonly lines: readonly string[] } | { readonly problem: MachineProblem }> {
  const { identity } = question;
  const { namespace } = identity;
  const classes: readonly StorageClassFacts[] = (await look.all(storageClasses)).map(storageClassFacts);
  const isTaken = (kind: string, name: string): boolean =>
    settings.children.some((child) => child.kind === kind && child.name === name);
  const lines: string[] = [];
  for (const disk of disks) {
    if (isAttached(disk)) {
      const claim = await look.at(claims, { namespace, name: disk.existingClaim });
      const refusal = claim === undefined ? undefined : whyNotAttached(question, disk, claim);
      if (refusal !== undefined) return { problem: refusal };
      const state = claim === undefined ? ', which does not exist' : '';
      lines.push(`disk "${disk.name}" uses the claim "${disk.existingClaim}"${state}`);
      continue;
    }
    const name = diskName(identity.name, disk.name);
    const marked = async (type: typeof claims): Promise<object> => {
      const found = await look.at(type, { namespace, name });
      if (found === undefined) return {};
      const labels = isTaken(type.kind, name)
        ? { ...found.metadata.labels, ...identity.marks.labels }
        : found.metadata.labels;
      return { [type === claims ? 'claim' : 'dataVolume']: { ...found, metadata: { ...found.metadata, labels } } };
    };
    const existing = { ...(await marked(claims)), ...(await marked(dataVolumes)) };
    const { create, grow, problem } = planDisk(identity, disk, { classes, existing });
    if (problem !== undefined) return { problem };
    if (create !== undefined) lines.push(`disk "${disk.name}" is new: ${create.kind} "${name}" of ${disk.size}`);
    if (grow !== undefined) lines.push(`disk "${disk.name}" grows to ${disk.size}`);
  }
  return { lines };
}
