/**
 * Deletes a TemplateInstance with what it has made. OpenShift does the second by name: where a machine that it made is gone, or another has its name by
 * now, OpenShift is kept from it, and what is left of the others is deleted here, by uid.
 */
import type { Cluster } from '../../../kube/cluster.ts';
import { isNotFound } from '../../../kube/errors.ts';
import type { KubeObject, ObjectKey } from '../../../kube/object.ts';
import type { ResourceType } from '../../../kube/resource-type.ts';
import type { ClusterHand, Seen } from '../cluster-hand.ts';
import { virtualMachines } from '../kinds.ts';
import { instanceFinalizer, templateInstances, type ObjectReference, type TemplateInstance } from './kinds.ts';

export type ReleasingHand = Pick<ClusterHand, 'get' | 'patch' | 'delete'>;

export interface Releasing {
  readonly cluster: Cluster;
  readonly hand: ReleasingHand;
  readonly settings: { readonly requestMs: number };
}

/** Asks for the end of it; it is over when there is none any more. */
export async function releaseInstance(releasing: Releasing, instance: TemplateInstance): Promise<void> {
  const { hand } = releasing;
  const { finalizers = [] } = instance.metadata;
  const isHeld = finalizers.includes(instanceFinalizer);
  if (!isHeld || (await hasAllMachines(hand, instance))) {
    if (instance.metadata.deletionTimestamp === undefined) await hand.delete(templateInstances, instance);
    return;
  }
  for (const { ref = {} } of instance.status?.objects ?? []) await deleteMade(releasing, ref);
  const without = finalizers.filter((finalizer) => finalizer !== instanceFinalizer);
  const released: Seen = await hand.patch(templateInstances, instance, { metadata: { finalizers: without } });
  if (instance.metadata.deletionTimestamp === undefined) await hand.delete(templateInstances, released);
}

async function hasAllMachines(hand: ReleasingHand, { status }: TemplateInstance): Promise<boolean> {
  for (const { ref = {} } of status?.objects ?? []) {
    const key = keyOf(ref);
    if (ref.kind !== virtualMachines.kind || key === undefined) continue;
    const found = await hand.get(virtualMachines, key);
    if (found?.metadata.uid !== ref.uid) return false;
  }
  return true;
}

async function deleteMade(releasing: Releasing, { uid, ...reference }: ObjectReference): Promise<void> {
  const key = keyOf(reference);
  const type = key === undefined || uid === undefined ? undefined : await typeOf(releasing, reference);
  if (key === undefined || type === undefined) return;
  const found: KubeObject | undefined = await releasing.hand.get(type, key);
  if (found === undefined || found.metadata.uid !== uid || found.metadata.deletionTimestamp !== undefined) return;
  await releasing.hand.delete(type, found);
}

/** Undefined where it is not served any more: then there is none of it. */
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
