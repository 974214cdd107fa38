/**
 * Deletes a TemplateInstance with the objects that it created. OpenShift deletes these by name. If one of the VMs is
 * gone or its name now belongs to another VM, the finalizer is removed to prevent that, and the remaining objects are
 * deleted here, by uid.
 */
import type { Cluster } from '@ssvirt/kube/cluster';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject, ObjectKey } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { LeasedClient, Seen } from '../engine/leased-client.ts';
import {
  type ObjectReference,
  type TemplateInstance,
  templateInstances,
  virtualMachines,
} from '../../../fleet/kinds.ts';
import { instanceFinalizer } from './template-marks.ts';

export type ReleaseClient = Pick<LeasedClient, 'get' | 'patch' | 'delete'>;

export interface Releasing {
  readonly cluster: Cluster;
  readonly client: ReleaseClient;
  readonly settings: { readonly requestMs: number };
}

/** `releaseInstance` requests the deletion. It is complete when the instance is gone. */
export async function releaseInstance(releasing: Releasing, instance: TemplateInstance): Promise<void> {
  const isHeld = instance.metadata.finalizers?.includes(instanceFinalizer) === true;
  const machines = isHeld ? await machinesOf(releasing.client, instance) : 'there';
  if (machines === 'there') return end(releasing, instance);
  try {
    for (const { ref = {} } of instance.status?.objects ?? []) await deleteMade(releasing, ref);
  } catch (error) {
    // OpenShift may delete its objects by name if no other VM has one of the names: then nothing is lost.
    if (machines === 'others' || !isKind(error, 'Forbidden')) throw error;
    return end(releasing, instance);
  }
  return end(releasing, await withoutFinalizer(releasing, instance));
}

async function end({ client }: Releasing, instance: Seen): Promise<void> {
  if (instance.metadata.deletionTimestamp === undefined) await client.delete(templateInstances, instance);
}

function withoutFinalizer({ client }: Releasing, instance: TemplateInstance): Promise<Seen> {
  const finalizers = (instance.metadata.finalizers ?? []).filter((finalizer) => finalizer !== instanceFinalizer);
  return client.patch(templateInstances, instance, { metadata: { finalizers } });
}

/** The worst state of the VMs that it created: all exist, some are gone, or a name belongs to another VM. */
async function machinesOf(client: ReleaseClient, { status }: TemplateInstance): Promise<'there' | 'gone' | 'others'> {
  let worst: 'there' | 'gone' = 'there';
  for (const { ref = {} } of status?.objects ?? []) {
    const key = keyOf(ref);
    if (ref.kind !== virtualMachines.kind || key === undefined) continue;
    const found = await client.get(virtualMachines, key);
    if (found === undefined) worst = 'gone';
    else if (found.metadata.uid !== ref.uid) return 'others';
  }
  return worst;
}

async function deleteMade(releasing: Releasing, { uid, ...reference }: ObjectReference): Promise<void> {
  const key = keyOf(reference);
  const type = key === undefined || uid === undefined ? undefined : await typeOf(releasing, reference);
  if (key === undefined || type === undefined) return;
  const found: KubeObject | undefined = await releasing.client.get(type, key);
  if (found === undefined || found.metadata.uid !== uid || found.metadata.deletionTimestamp !== undefined) return;
  await releasing.client.delete(type, found);
}

/** Undefined if the kind is no longer served, and so has no objects. */
async function typeOf(
  { cluster, settings }: Releasing,
  { apiVersion = '', kind = '' }: ObjectReference,
): Promise<ResourceType | undefined> {
  try {
    return await cluster.client.typeOf(apiVersion, kind, { timeoutMs: settings.requestMs });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function keyOf({ namespace, name }: ObjectReference): ObjectKey | undefined {
  if (name === undefined || name === '') return undefined;
  return namespace === undefined || namespace === '' ? { name } : { namespace, name };
}
