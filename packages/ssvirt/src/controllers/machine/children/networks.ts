/**
 * The networks that a Machine names. Each becomes a NetworkAttachmentDefinition beside the VM, shared by the Machines
 * of the namespace.
 */
import { isOlder } from '../../../fleet/placement/machine-age.ts';
import type { KubeObject } from '@ssvirt/kube/object';
import { NotOurs } from '@ssvirt/kube/reconcile/apply-child';
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import { resolveNetworks, type ResolvedNetwork } from '../../../kubevirt/machine/networks.ts';
import type { ResolvedMachine } from '../../../kubevirt/machine/resolve.ts';
import { labels, managedBy, type NetworkConfigurationSpec } from '../../../kubevirt/machine/resource.ts';
import { isAdopting } from '../placement/adoption.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { askedToApply, problem, waiting } from '../step-halted.ts';
import { networkAttachments } from '../../../fleet/kinds.ts';
import { byMac, macsOf, networkNames } from '../supervisor.ts';
import type { MachineWork } from '../work.ts';

export async function ensureNetworks(
  work: MachineWork,
  resolved: ResolvedMachine,
): Promise<readonly ResolvedNetwork[]> {
  const { identity } = work;
  const networks = resolveNetworks(identity, resolved, configurationsOf(work));
  if ('problem' in networks) throw problem('network', networks.problem);
  refuseTakenAddress(work);
  for (const attachment of networks.attachments)
    await ensureAttachment(work, attachment, isUsedAlready(attachment, networks.networks));
  return networks.networks;
}

/** Whether the VM used this network before it was adopted. */
function isUsedAlready({ metadata }: KubeObject, networks: readonly ResolvedNetwork[]): boolean {
  return networks.some(({ attachment, adopted }) => attachment === metadata.name && adopted !== undefined);
}

function configurationsOf({
  machine,
  operator,
  identity: { namespace },
}: MachineWork): ReadonlyMap<string, NetworkConfigurationSpec> {
  return new Map(
    networkNames(machine).flatMap((name) => {
      const found = operator.supervisor.networks.get({ namespace, name });
      return found === undefined ? [] : [[name, found.spec ?? {}] as const];
    }),
  );
}

/** Two VMs of one cluster may be on one network: the younger Machine has to use another address. */
function refuseTakenAddress({ machine, operator }: MachineWork): void {
  const at = machine.status?.kubevirtConfigRef;
  for (const address of macsOf(machine)) {
    const others = operator.supervisor.machines
      .byIndex(byMac, address)
      .filter((other) => other.metadata.uid !== machine.metadata.uid && other.status?.kubevirtConfigRef === at);
    const first = others.find((other) => isOlder(other, machine));
    if (first === undefined) continue;
    const { namespace, name } = first.metadata;
    const message = `spec.networks: the macAddress ${address} belongs to Machine "${namespace}/${name}" on the same cluster: use another, or leave it out`;
    throw problem('network', { reason: 'MacAddressConflict', message }, lookAgainMs);
  }
}

async function ensureAttachment(work: MachineWork, desired: KubeObject, usedAlready: boolean): Promise<void> {
  const { caches, member, operator, identity, signal } = work;
  const { informer } = caches.attachments;
  const { namespace = '', name = '' } = desired.metadata;
  if (informer === undefined) {
    const message = `cluster "${member.name}" serves no NetworkAttachmentDefinitions: install Multus there, or leave out networkName`;
    throw problem('network', { reason: 'NetworkAttachmentsMissing', message }, lookAgainMs);
  }
  const key = { namespace, name };
  // A NetworkAttachmentDefinition that another supervisor created is not in the cache.
  const unseen = (): Promise<KubeObject | undefined> => find(member.client, networkAttachments, key, { signal });
  // A NetworkAttachmentDefinition of another supervisor is adopted together with the VMs that use it.
  const mayTake = ({ metadata }: KubeObject): boolean =>
    metadata.labels?.[labels.managedBy] === managedBy &&
    (isAdopting(work) || isOurs({ metadata }, identity.supervisor));
  const apply = async (): Promise<void> => {
    const live = informer.get(key) ?? (isAdopting(work) ? await unseen() : undefined);
    const child = { type: networkAttachments, desired, live, mayTake, projected: true };
    const { outcome } = await operator.applier.apply(member.client, child, { signal });
    if (outcome === 'deleting')
      throw waiting(
        'network',
        'NetworkFailed',
        `NetworkAttachmentDefinition "${namespace}/${name}" is being deleted; waiting for it to be gone`,
      );
  };
  try {
    await askedToApply('network', member.name, `create NetworkAttachmentDefinition "${namespace}/${name}"`, apply);
  } catch (error) {
    if (!(error instanceof NotOurs)) throw error;
    // The VM already works with a foreign network, so it stays as it is.
    if (usedAlready) return;
    const message = `NetworkAttachmentDefinition "${namespace}/${name}" exists in cluster "${member.name}" and was not created by this supervisor: delete or rename it, or use another name for the NetworkConfiguration`;
    throw problem('network', { reason: 'NameConflict', message }, lookAgainMs);
  }
}

export function isOurs({ metadata }: KubeObject, supervisor: string): boolean {
  return metadata.labels?.[labels.managedBy] === managedBy && metadata.labels[labels.supervisor] === supervisor;
}
