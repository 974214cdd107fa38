/**
 * What AAP's jobs write and delete in the namespace of a tenant. They know their objects by name alone: where one of the names is taken by an object that neither
 * AAP nor this operator has made for the order, a job would take it over, and the order's deletion would destroy it.
 */
import { secrets } from '../../fleet/kubevirt-config.ts';
import type { KubeObject } from '../../kube/object.ts';
import { find } from '../../kube/reconcile/create-or-patch.ts';
import type { ResourceType } from '../../kube/resource-type.ts';
import { bearsName, isOwn } from '../../virt/order/identity.ts';
import { childNames } from '../../virt/order/names.ts';
import { hasAapFinalizer, reconciledVersion } from '../../virt/order/traces.ts';
import type { WebhookAction } from '../../virt/order/webhook.ts';
import { nameOf, writing } from './children.ts';
import { lookAgainMs, refused } from './halted.ts';
import { claims, dataVolumes, services, virtualMachines } from './kinds.ts';
import { templateClass } from './mode.ts';
import { canSeeSecrets } from './secret-rights.ts';
import type { Work } from './work.ts';

interface Target {
  readonly type: ResourceType<KubeObject>;
  readonly name: string;
}

/**
 * `refuseForeignTargets` throws `NameConflict` where AAP must not be called. What AAP has made bears its label with the order's name, also what it has only
 * applied over. Call it right before each call: the server is asked, because no cache has objects without a label.
 */
export async function refuseForeignTargets(work: Work, action: WebhookAction): Promise<void> {
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
      ? 'Delete or rename what stands there, or give the order another name.'
      : `Delete or rename what stands there. Where AAP has made it, label it cloudkit.openshift.io/computeinstance=${name}. Or remove AAP's finalizer from the order: then this operator deletes what bears the order's labels, but nothing that AAP has outside this cluster.`;
  const message = `${names.join(', ')} ${are} not of this order, and AAP would ${done} by name: AAP is not called. ${wayOut}`;
  throw refused({ reason: 'NameConflict', message }, lookAgainMs);
}

/**
 * As long as AAP has made nothing of an order, its deletion is thought of, too: it would destroy what is there under any of the names. Of an order that AAP has
 * worked on before, only those count that its next job writes: people may have made a Service of their own for its machine since.
 */
function createTargets(work: Work): readonly Target[] {
  const { order, identity } = work;
  const { vm, cloudInitSecret, sshKeySecret, dataVolume, service } = childNames(identity);
  const written = [
    { type: virtualMachines, name: vm },
    { type: dataVolumes, name: dataVolume },
    { type: secrets, name: cloudInitSecret },
  ];
  const isNew = !hasAapFinalizer(order) && reconciledVersion(order) === undefined;
  // A claim without a DataVolume: the machine would boot from it.
  if (isNew) return [...written, { type: claims, name: dataVolume }, ...onlyDeleted(work)];
  if (order.spec.templateParameters?.includes('ssh_public_key') === true)
    written.push({ type: secrets, name: sshKeySecret });
  if (templateClass(work) !== 'native') written.push({ type: services, name: service });
  return written;
}

function deleteTargets({ identity }: Work): readonly Target[] {
  const { vm, cloudInitSecret, dataVolume } = childNames(identity);
  return [
    { type: virtualMachines, name: vm },
    { type: dataVolumes, name: dataVolume },
    { type: secrets, name: cloudInitSecret },
    ...onlyDeleted({ identity }),
  ];
}

/** The jobs of most roles write none of these, and every job that deletes deletes them. */
function onlyDeleted({ identity }: Pick<Work, 'identity'>): readonly Target[] {
  const { sshKeySecret, service } = childNames(identity);
  return [
    { type: secrets, name: sshKeySecret },
    { type: services, name: service },
    // Of older roles.
    { type: services, name: `${identity.name}-service` },
  ];
}

async function holdsForeign(work: Work, { type, name }: Target): Promise<boolean> {
  const { cluster, identity, signal } = work;
  const key = { namespace: identity.tenantNamespace, name };
  const object = await writing(work, `look at ${nameOf(type, key)}`, () =>
    find(cluster.client, type, key, { metadataOnly: true, signal, beforeMaking: true }),
  );
  if (object === undefined || isOwn(identity, object) || bearsName(identity, object)) return false;
  // The claim of a DataVolume is judged with that: CDI does not copy labels in every version.
  return !object.metadata.ownerReferences?.some((owner) => owner.kind === dataVolumes.kind && owner.name === name);
}
