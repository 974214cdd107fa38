/**
 * How the VM controller uses instance types and preferences: it finds them, stores them in revisions, and applies them
 * to VMIs.
 */
import type { Client } from '@ssvirt/kube/client/client';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind } from '@ssvirt/kube/errors';
import { regarding } from '@ssvirt/kube/events/event';
import { keyOfObject } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import type { World } from '../../world.ts';
import { serverWords } from '../../server-words.ts';
import { expand, originAnnotations } from '../instancetypes/expand.ts';
import { findForVm, keptRevision, type FoundInstancetype } from '../instancetypes/find.ts';
import { matcherOf, roles, type Matcher, type Role } from '../instancetypes/matcher.ts';
import { revisionOf } from '../instancetypes/revisions.ts';
import * as kinds from '../objects.ts';
import type { VirtualMachine, VirtualMachineInstance } from '../objects.ts';
import { domainOf, withDevices } from './domain.ts';
import { SyncError } from './status/sync-error.ts';

export interface Instancetypes {
  /**
   * Stores the objects that the VM refers to, so that later changes do not affect the VM. Throws a SyncError if they
   * are not found.
   */
  sync(vm: VirtualMachine, signal: AbortSignal): Promise<VirtualMachine>;
  /** Returns the VM with its instance type and preference applied to the template. Throws if they are not found. */
  applyToVm(vm: VirtualMachine): Promise<VirtualMachine>;
  /** Applies the preferred autoattach fields, before networks and inputs are added. */
  applyAutoAttach(vm: VirtualMachine, vmi: VirtualMachineInstance): Promise<VirtualMachineInstance>;
  applyToVmi(vm: VirtualMachine, vmi: VirtualMachineInstance): Promise<VirtualMachineInstance>;
}

export function instancetypesIn(world: World): Instancetypes {
  const cluster = readingCaches(world.as('virt-controller'));
  return {
    sync: async (vm, signal) => (hasNone(vm) ? vm : keep(cluster, vm, signal)),
    applyToVm: async (vm) => (hasNone(vm) ? vm : expandedVm(cluster, vm)),
    applyAutoAttach: async (vm, vmi) => (hasNone(vm) ? vmi : autoAttached(cluster, vm, vmi)),
    applyToVmi: async (vm, vmi) => (hasNone(vm) ? vmi : expandedVmi(cluster, vm, vmi)),
  };
}

function hasNone(vm: VirtualMachine): boolean {
  return roles.every((role) => matcherOf(vm, role) === undefined);
}

const cached = [
  kinds.controllerRevisions,
  kinds.instancetypes,
  kinds.clusterInstancetypes,
  kinds.preferences,
  kinds.clusterPreferences,
] as const;

/**
 * Returns the cluster with a client that reads from caches. A missing object is read from the server, because users see
 * the server's error.
 */
function readingCaches(cluster: Cluster): Cluster {
  const informers = new Map(cached.map((type) => [type.plural, cluster.informers.informer(type)]));
  const get: Client['get'] = async (type, key, options) => {
    const found = informers.get(type.plural)?.get(key);
    // The caller determines the type of the object.
    return found === undefined ? cluster.client.get(type, key, options) : (found as typeof type.shape & object);
  };
  return { ...cluster, client: { ...cluster.client, get } };
}

const notFound: Readonly<Record<Role, string>> = {
  instancetype: 'FailedFindInstancetype',
  preference: 'FailedFindPreference',
};

async function keep(cluster: Cluster, vm: VirtualMachine, signal: AbortSignal): Promise<VirtualMachine> {
  const found = new Map<Role, FoundInstancetype | undefined>();
  for (const role of roles) {
    const one = await findForVm(cluster, vm, role).catch((error: unknown) => {
      throw new SyncError(notFound[role], serverWords(error), error);
    });
    found.set(role, one);
  }
  try {
    const references: Record<string, JsonObject> = {};
    for (const role of roles) {
      const reference = await stored(cluster, vm, role, found.get(role), signal);
      if (reference !== undefined) references[`${role}Ref`] = reference;
    }
    return await referring(cluster, vm, references, signal);
  } catch (error) {
    const text = `error encountered while storing instancetype.kubevirt.io controllerRevisions: ${serverWords(error)}`;
    cluster.recorder.event(regarding(kinds.virtualMachines, vm), 'Warning', 'FailedCreate', text);
    throw new SyncError('FailedCreate', text, error);
  }
}

/** Returns the reference that the status does not have yet. */
async function stored(
  { client }: Cluster,
  vm: VirtualMachine,
  role: Role,
  found: FoundInstancetype | undefined,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const matcher = matcherOf(vm, role);
  if (matcher === undefined) return undefined;
  const kept = keptRevision(vm, role);
  const { revisionName } = matcher;
  if (kept !== undefined && (revisionName === undefined || revisionName === kept)) return undefined;
  if (revisionName !== undefined) return referenceTo(matcher, revisionName);
  if (found?.object === undefined) return undefined;
  const revision = revisionOf(vm, found.object);
  await client.create(kinds.controllerRevisions, revision, { signal }).catch((error: unknown) => {
    if (!isKind(error, 'AlreadyExists')) throw error;
  });
  return referenceTo(matcher, revision.metadata.name ?? '');
}

function referenceTo({ name, kind, inferFromVolume }: Matcher, revision: string): JsonObject {
  return {
    name,
    ...(kind === undefined ? {} : { kind }),
    ...(inferFromVolume === undefined ? {} : { inferFromVolume }),
    controllerRevisionRef: { name: revision },
  };
}

async function referring(
  { client }: Cluster,
  vm: VirtualMachine,
  references: Readonly<Record<string, JsonObject>>,
  signal: AbortSignal,
): Promise<VirtualMachine> {
  if (Object.keys(references).length === 0) return vm;
  const { uid } = vm.metadata;
  const operations = [
    { op: 'test', path: '/metadata/uid', value: uid },
    ...Object.entries(references).map(([field, value]) => ({ op: 'add', path: `/status/${field}`, value }) as const),
  ] as const;
  const options = { subresource: 'status', signal };
  // A JSON patch cannot add a field to a status that does not exist.
  const patch =
    vm.status === undefined
      ? ({ type: 'merge', body: { metadata: { uid }, status: references } } as const)
      : ({ type: 'json', operations } as const);
  return client.patch(kinds.virtualMachines, keyOfObject(vm), patch, options);
}

interface Specs {
  readonly instancetype: JsonObject | undefined;
  readonly preference: JsonObject | undefined;
}

async function specsFor(cluster: Cluster, vm: VirtualMachine): Promise<Specs> {
  const instancetype = (await findForVm(cluster, vm, 'instancetype'))?.spec;
  return { instancetype, preference: (await findForVm(cluster, vm, 'preference'))?.spec };
}

async function expandedVm(cluster: Cluster, vm: VirtualMachine): Promise<VirtualMachine> {
  const { instancetype, preference } = await specsFor(cluster, vm);
  const { template } = vm.spec;
  const annotations = template.metadata?.annotations ?? {};
  const expanded = expand({ spec: template.spec, annotations }, instancetype, preference);
  if (expanded.conflicts.length > 0)
    throw new Error(`VM fields ${expanded.conflicts.join(', ')} conflict with selected instance type`);
  return { ...vm, spec: { ...vm.spec, template: { ...template, spec: expanded.spec } } };
}

async function expandedVmi(
  cluster: Cluster,
  vm: VirtualMachine,
  vmi: VirtualMachineInstance,
): Promise<VirtualMachineInstance> {
  const { instancetype, preference } = await specsFor(cluster, vm);
  const origin = { ...vmi.metadata.annotations, ...originAnnotations(vm) };
  const { spec, annotations, conflicts } = expand({ spec: vmi.spec, annotations: origin }, instancetype, preference);
  if (conflicts.length > 0)
    throw new Error(`VMI conflicts with instancetype spec in fields: [${conflicts.join(', ')}]`);
  return { ...vmi, metadata: { ...vmi.metadata, annotations }, spec };
}

async function autoAttached(
  cluster: Cluster,
  vm: VirtualMachine,
  vmi: VirtualMachineInstance,
): Promise<VirtualMachineInstance> {
  const { preference } = await specsFor(cluster, vm);
  const { preferredAutoattachInputDevice: input, preferredAutoattachPodInterface: network } = (preference?.[
    'devices'
  ] ?? {}) as { readonly preferredAutoattachInputDevice?: boolean; readonly preferredAutoattachPodInterface?: boolean };
  const { autoattachInputDevice, autoattachPodInterface } = domainOf(vmi.spec).devices ?? {};
  const wanted = {
    ...(input === undefined || autoattachInputDevice !== undefined ? {} : { autoattachInputDevice: input }),
    ...(network === undefined || autoattachPodInterface !== undefined ? {} : { autoattachPodInterface: network }),
  };
  return Object.keys(wanted).length === 0 ? vmi : { ...vmi, spec: withDevices(vmi.spec, wanted) };
}
