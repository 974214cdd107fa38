/** Resolves a VM's matchers to the revision that the VM has recorded, or to the object itself. */
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { controllerRevisions, type VirtualMachine } from '../objects.ts';
import { matcherOf, typeOfMatcher, type Role } from './matcher.ts';

export interface FoundInstancetype {
  readonly spec: JsonObject;
  /** Absent if the spec comes from a revision. */
  readonly object?: Unstructured;
}

/** `UnknownKind`: the matcher of a VM names a kind that does not exist. */
export class UnknownKind extends Error {}

/**
 * Returns the effective spec for this VM, or undefined if it has no matcher. Throws the API server's error if the
 * object, or the revision that the VM names or has recorded, does not exist.
 */
export async function findForVm(
  cluster: Cluster,
  vm: VirtualMachine,
  role: Role,
): Promise<FoundInstancetype | undefined> {
  const matcher = matcherOf(vm, role);
  if (matcher === undefined) return undefined;
  const revision = matcher.revisionName ?? keptRevision(vm, role);
  if (revision !== undefined) return { spec: await readRevision(cluster, vm, role, revision) };
  const object = await findObject(cluster, vm, role);
  return object === undefined ? undefined : { object, spec: specOf(object) };
}

/** `findObject` returns the live object that the matcher names, ignoring revisions. */
export async function findObject(cluster: Cluster, vm: VirtualMachine, role: Role): Promise<Unstructured | undefined> {
  const matcher = matcherOf(vm, role);
  if (matcher === undefined) return undefined;
  const type = typeOfMatcher(role, matcher.kind);
  if (type === undefined) throw new UnknownKind(`got unexpected kind in ${MATCHERS[role]}: ${matcher.kind ?? ''}`);
  const namespace = type.namespaced ? vm.metadata.namespace : undefined;
  const key = { name: matcher.name, ...(namespace === undefined ? {} : { namespace }) };
  return cluster.client.get(type, key);
}

const MATCHERS: Readonly<Record<Role, string>> = {
  instancetype: 'InstancetypeMatcher',
  preference: 'PreferenceMatcher',
};

/** `keptRevision` returns the revision in the VM's status, if it still belongs to the name in the spec. */
export function keptRevision(vm: VirtualMachine, role: Role): string | undefined {
  const matcher = matcherOf(vm, role);
  const ref = vm.status?.[`${role}Ref`];
  if (matcher === undefined || !isObject(ref as Json | undefined)) return undefined;
  const { name, kind, controllerRevisionRef } = ref as JsonObject;
  const same = name === matcher.name && typeOfMatcher(role, text(kind)) === typeOfMatcher(role, matcher.kind);
  return same && isObject(controllerRevisionRef) ? text(controllerRevisionRef['name']) : undefined;
}

async function readRevision(cluster: Cluster, vm: VirtualMachine, role: Role, name: string): Promise<JsonObject> {
  const { namespace } = vm.metadata;
  const key = { name, ...(namespace === undefined ? {} : { namespace }) };
  const { data } = (await cluster.client.get(controllerRevisions, key)) as { readonly data?: Json };
  const kind = isObject(data) ? text(data['kind']) : undefined;
  if (!isObject(data) || kind === undefined) throw new Error('failed to decode object in ControllerRevision');
  if (typeOfMatcher(role, kind) === undefined)
    throw new Error(`unexpected type in ControllerRevision: *v1beta1.${kind}`);
  return isObject(data['spec']) ? data['spec'] : {};
}

function specOf(object: Unstructured): JsonObject {
  const spec = object['spec'] as Json | undefined;
  return isObject(spec) ? spec : {};
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
