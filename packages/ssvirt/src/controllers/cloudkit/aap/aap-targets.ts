/**
 * The objects that AAP's jobs write and delete in a tenant namespace. The jobs identify objects by name only. If one of
 * these names belongs to an object that neither AAP nor this operator created for the order, a job would take the
 * object over, and the deletion of the order would destroy it.
 */
import { claims, dataVolumes, secrets, services, virtualMachines } from '../../../fleet/kinds.ts';
import type { KubeObject } from '@ssvirt/kube/object';
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { bearsName, isOwn } from '../../../kubevirt/order/identity.ts';
import { childNames } from '../../../kubevirt/order/names.ts';
import { hasAapFinalizer, reconciledVersion } from '../../../kubevirt/order/aap/aap-marks.ts';
import type { WebhookAction } from '../../../kubevirt/order/aap/webhook.ts';
import { nameOf, writing } from '../children.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { refused } from '../operator/step-halted.ts';
import { templateClass } from '../mode.ts';
import { canSeeSecrets } from '../operator/secret-rights.ts';
import type { OrderWork } from '../work.ts';

interface Target {
  readonly type: ResourceType<KubeObject>;
  readonly name: string;
}

/**
 * `refuseForeignTargets` throws `NameConflict` if AAP must not be called. Everything that AAP has created or applied
 * has a label with the order's name. Call it right before each call of AAP: it asks the server, because no cache
 * contains objects without a label.
 */
export async function refuseForeignTargets(work: OrderWork, action: WebhookAction): Promise<void> {
  const all = action === 'create' ? createTargets(work) : deleteTargets(work);
  const targets = (await canSeeSecrets(work)) ? all : all.filter(({ type }) => type !== secrets);
  const isForeign = await Promise.all(targets.map((target) => holdsForeign(work, target)));
  const foreign = targets.filter((_, at) => isForeign[at]);
  if (foreign.length === 0) return;
  const { name, tenantNamespace: namespace } = work.identity;
  const names = foreign.map((target) => nameOf(target.type, { namespace, name: target.name }));
  const are = names.length === 1 ? 'exists and is' : 'exist and are';
  const done = action === 'create' ? 'take over' : 'delete';
  const wayOut =
    action === 'create'
      ? 'Delete or rename what exists there, or give the order another name.'
      : `Delete or rename what exists there. If AAP created it, label it cloudkit.openshift.io/computeinstance=${name}. Or remove AAP's finalizer from the order: then this operator deletes the objects with the order's labels, but nothing that AAP has outside this cluster.`;
  const message = `${names.join(', ')} ${are} not part of this order, and AAP would ${done} by name: AAP is not called. ${wayOut}`;
  throw refused({ reason: 'NameConflict', message }, lookAgainMs);
}

/**
 * Before AAP has created anything for an order, this includes the objects that a later deletion would destroy by name.
 * For an order that AAP has worked on before, only the objects that the next job writes count: a user may have created
 * a Service for the VM since.
 */
function createTargets(work: OrderWork): readonly Target[] {
  const { order, identity } = work;
  const { vm, cloudInitSecret, sshKeySecret, dataVolume, service } = childNames(identity);
  const written = [
    { type: virtualMachines, name: vm },
    { type: dataVolumes, name: dataVolume },
    { type: secrets, name: cloudInitSecret },
  ];
  const isNew = !hasAapFinalizer(order) && reconciledVersion(order) === undefined;
  // A PersistentVolumeClaim without a DataVolume: the VM would boot from it.
  if (isNew) return [...written, { type: claims, name: dataVolume }, ...onlyDeleted(work)];
  if (order.spec.templateParameters?.includes('ssh_public_key') === true)
    written.push({ type: secrets, name: sshKeySecret });
  if (templateClass(work) !== 'native') written.push({ type: services, name: service });
  return written;
}

function deleteTargets({ identity }: OrderWork): readonly Target[] {
  const { vm, cloudInitSecret, dataVolume } = childNames(identity);
  return [
    { type: virtualMachines, name: vm },
    { type: dataVolumes, name: dataVolume },
    { type: secrets, name: cloudInitSecret },
    ...onlyDeleted({ identity }),
  ];
}

/** The jobs of most roles do not write these objects, but every deleting job deletes them. */
function onlyDeleted({ identity }: Pick<OrderWork, 'identity'>): readonly Target[] {
  const { sshKeySecret, service } = childNames(identity);
  return [
    { type: secrets, name: sshKeySecret },
    { type: services, name: service },
    // Created by older roles.
    { type: services, name: `${identity.name}-service` },
  ];
}

async function holdsForeign(work: OrderWork, { type, name }: Target): Promise<boolean> {
  const { cluster, identity, signal } = work;
  const key = { namespace: identity.tenantNamespace, name };
  const object = await writing(work, `look at ${nameOf(type, key)}`, () =>
    find(cluster.client, type, key, { metadataOnly: true, signal, beforeMaking: true }),
  );
  if (object === undefined || isOwn(identity, object) || bearsName(identity, object)) return false;
  // The PersistentVolumeClaim of a DataVolume is judged with the DataVolume, because not every version of CDI copies
  // labels.
  return !object.metadata.ownerReferences?.some((owner) => owner.kind === dataVolumes.kind && owner.name === name);
}
