/**
 * Deletes the objects of a Machine in its cluster, in the order of the reference: the VM and its instance, then the
 * disks, then the objects beside them. The Machine is deleted when all of them are gone. The last step asks the cluster
 * itself, because a cache misses objects whose labels were removed.
 */
import type { ObjectList } from '@ssvirt/kube/client/client';
import { isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import { deleteInOrder, type Doomed, type Removal } from '@ssvirt/kube/reconcile/delete-in-order';
import { isDeleting } from '@ssvirt/kube/reconcile/finalizers';
import { childrenSelector } from '@ssvirt/kube/reconcile/owners';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { claims, dataVolumes, instances, networkAttachments, secrets, virtualMachines } from '../../fleet/kinds.ts';
import { attachmentName, cloudInitSecretName, vmName } from '../../kubevirt/machine/names.ts';
import { annotations } from '../../kubevirt/machine/resource.ts';
import { fields, list, text } from '../../kubevirt/facts/reading.ts';
import { byParent } from './caches.ts';
import { asked } from './step-halted.ts';
import { type Machine } from './machine-types.ts';
import { secretsAreOutOfReach } from './children/secret-rights.ts';
import { byCluster, networkNames } from './supervisor.ts';
import { isStripped } from './children/virtual-machine.ts';
import { isOurs, type MachineWork } from './work.ts';

export async function remove(work: MachineWork): Promise<Removal> {
  const { operator, machine, member, signal } = work;
  const silence = operator.silence(member.name);
  if (silence !== undefined) return heldUp(work, silence);
  const removal = await asked(
    'virtual machine',
    member.name,
    `delete the objects of Machine "${work.identity.name}"`,
    () =>
      deleteInOrder(
        member.client,
        [
          { name: 'the virtual machine', left: () => machinesLeft(work) },
          { name: 'disks', left: () => disksLeft(work) },
          { name: 'the cloud-init secret', left: () => secretLeft(work) },
          { name: 'networks', left: () => attachmentsLeft(work) },
          { name: 'what the cluster still has', left: () => reallyLeft(work) },
        ],
        { signal },
      ),
  );
  if (removal.done)
    operator.event(machine, 'Normal', 'Deleted', `All its objects are gone from cluster "${member.name}"`);
  return removal;
}

function heldUp({ operator, machine, identity, context }: MachineWork, silence: string): Removal {
  if (machine.metadata.annotations?.[annotations.forceDelete] === 'true') {
    operator.event(machine, 'Warning', 'ForceDeleted', `Its objects in the cluster are abandoned: ${silence}`);
    context.log.warn({ machine: identity.name, namespace: identity.namespace }, 'deleting Machine by force');
    return { done: true };
  }
  const message = waitsForCluster(silence);
  return { done: false, waitingFor: 'the cluster', left: [], reason: 'ClusterUnavailable', message };
}

export function waitsForCluster(silence: string): string {
  return `deletion waits for the cluster: ${silence}. To abandon the objects of the Machine there, annotate it with ${annotations.forceDelete}="true"`;
}

function machinesLeft(work: MachineWork): readonly Doomed[] {
  const { caches, identity } = work;
  const key = { namespace: identity.namespace, name: vmName(identity.name) };
  const vm = own(work, virtualMachines, caches.vms.get(key));
  // While the VM exists, KubeVirt deletes the instance.
  return vm.length > 0 ? vm : own(work, instances, caches.instances.get(key));
}

function disksLeft({ caches, identity }: MachineWork): readonly Doomed[] {
  const doomed = (type: ResourceType<KubeObject>) => (object: KubeObject) => ({ type, object });
  const volumes = caches.dataVolumes.informer?.byIndex(byParent, identity.uid).map(doomed(dataVolumes)) ?? [];
  return [...volumes, ...caches.claims.byIndex(byParent, identity.uid).map(doomed(claims))];
}

function secretLeft(work: MachineWork): readonly Doomed[] {
  const { caches, identity } = work;
  const key = { namespace: identity.namespace, name: cloudInitSecretName(identity.name) };
  return own(work, secrets, caches.secrets.get(key));
}

function own(work: MachineWork, type: ResourceType<KubeObject>, object: KubeObject | undefined): readonly Doomed[] {
  return object !== undefined && isOurs(work)(object) ? [{ type, object }] : [];
}

/**
 * The NetworkAttachmentDefinitions in the namespace that are no longer used, whichever Machine they were created for.
 */
async function attachmentsLeft(work: MachineWork): Promise<readonly Doomed[]> {
  const { caches, identity, operator, member, machine } = work;
  const all = caches.attachments.informer?.list(identity.namespace) ?? [];
  if (all.length === 0) return [];
  const others = operator.supervisor.machines
    .byIndex(byCluster, member.name)
    .filter(({ metadata }) => metadata.namespace === identity.namespace && metadata.uid !== machine.metadata.uid)
    .filter((other) => !isDeleting(other) || hasMachine(work, other));
  const used = new Set(others.flatMap(networkNames).map(attachmentName));
  const unused = all.filter(({ metadata }) => !used.has(metadata.name ?? ''));
  if (unused.length === 0) return [];
  const isUsedElsewhere = await attachedTo(work);
  return unused
    .filter(({ metadata }) => !isUsedElsewhere.has(metadata.name ?? ''))
    .map((object) => ({ type: networkAttachments, object }));
}

/**
 * If two Machines are deleted at the same time, each would leave the network to the other. The last one that has a VM
 * deletes it.
 */
function hasMachine({ caches }: MachineWork, { metadata: { namespace = '', name = '' } }: Machine): boolean {
  const key = { namespace, name: vmName(name) };
  return caches.vms.get(key) !== undefined || caches.instances.get(key) !== undefined;
}

/** The networks of VMs that were created or changed by hand. Such a VM could not start again without its network. */
async function attachedTo({ member, identity: { namespace }, signal }: MachineWork): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const type of [virtualMachines, instances])
    for await (const { items } of member.client.pages(type, { namespace, signal }))
      for (const object of items) for (const name of networksOf(object)) names.add(name.replace(`${namespace}/`, ''));
  return names;
}

function networksOf(object: KubeObject): readonly string[] {
  const { spec } = fields(object);
  const { networks = fields(fields(fields(spec)['template'])['spec'])['networks'] } = fields(spec);
  return list(networks).flatMap((network) => text(fields(fields(network)['multus'])['networkName']) ?? []);
}

async function reallyLeft(work: MachineWork): Promise<readonly Doomed[]> {
  const { member, machine, identity, signal } = work;
  const { namespace } = identity;
  const labelSelector = childrenSelector(machine);
  const fieldSelector = `metadata.name=${vmName(identity.name)}`;
  const listedKinds = (await secretsAreOutOfReach(work)) ? [dataVolumes, claims] : [dataVolumes, claims, secrets];
  const [vms, ...others] = await Promise.all([
    listed(virtualMachines, () => member.client.list(virtualMachines, { namespace, fieldSelector, signal })),
    ...listedKinds.map((type) =>
      listed(type, () =>
        member.client.list<KubeObject>(type, { namespace, labelSelector, metadataOnly: true, signal }),
      ),
    ),
  ]);
  const isOwn = ({ object }: Doomed): boolean => isOurs(work)(object) || isStripped(work, object);
  return [...vms.filter(isOwn), ...others.flat()];
}

async function listed(
  type: ResourceType<KubeObject>,
  list: () => Promise<ObjectList<KubeObject>>,
): Promise<readonly Doomed[]> {
  try {
    return (await list()).items.map((object) => ({ type, object }));
  } catch (error) {
    // A kind that is not served has no objects.
    if (isNotFound(error)) return [];
    throw error;
  }
}
