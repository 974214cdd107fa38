/**
 * Who owns an object in a cluster, for a Machine that wants to adopt it. Labels and annotations decide, and whether the
 * Machine that they name still exists. For a disk, the Machines that use it without a label decide too.
 */
import { defined } from '@ssvirt/base/values/defined';
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import { isChildOf, parentKeyOf, parentKindOf, parentUidOf } from '@ssvirt/kube/reconcile/owners';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import type { MachineIdentity } from '../../kubevirt/machine/identity.ts';
import { machineLabel } from '../../kubevirt/machine/names.ts';
import { labels, managedBy } from '../../kubevirt/machine/resource.ts';
import { labels as tenants } from '../../kubevirt/tenant-vm/labels.ts';
import type { ClaimingMachine, ClaimUsers } from './claim-users.ts';

export type Ownership =
  | { readonly kind: 'own' }
  /**
   * Created for a deleted Machine of the same name and namespace, by this supervisor, another one or the original
   * vitistack operator.
   */
  | { readonly kind: 'former'; readonly supervisor?: string }
  /** Something else manages it; `who` is for people. */
  | { readonly kind: 'owned'; readonly who: string }
  | { readonly kind: 'unmarked' };

/** `ChildOwnership` is a disk that another Machine uses: by its labels, the Machine could adopt or attach it. */
export type ChildOwnership = Ownership | { readonly kind: 'used'; readonly who: string };

export interface Claimant {
  readonly identity: MachineIdentity;
  /** Returns the Machine in this supervisor with this uid. Machines of other supervisors are not visible. */
  readonly liveMachine: (uid: string) => ClaimingMachine | undefined;
  /** Returns who uses the PersistentVolumeClaim of this name in the Machine's namespace and cluster. */
  readonly claimUsers: (claim: string) => ClaimUsers;
}

export function ownershipOf({ identity, liveMachine }: Omit<Claimant, 'claimUsers'>, object: KubeObject): Ownership {
  const { metadata } = object;
  const said = metadata.labels ?? {};
  if (isChildOf(object, { metadata: { uid: identity.uid } })) return { kind: 'own' };
  const tenant = said[tenants.vmId];
  if (tenant !== undefined) return { kind: 'owned', who: `a tenant (label ${tenants.vmId}: ${tenant})` };
  const uid = parentUidOf(metadata);
  const kind = parentKindOf(metadata);
  const key = parentKeyOf(metadata);
  if (kind !== undefined && kind !== 'Machine') return { kind: 'owned', who: `the order "${key ?? uid ?? ''}"` };
  const live = uid === undefined ? undefined : liveMachine(uid);
  if (live !== undefined) return { kind: 'owned', who: `Machine "${keyOf(live.metadata)}"` };
  const supervisor = said[labels.supervisor];
  if (key === `${identity.namespace}/${identity.name}` || isOriginal(identity, said))
    return { kind: 'former', ...defined({ supervisor }) };
  // Left by a Machine with another name, which may be created again.
  if (uid !== undefined) return { kind: 'owned', who: `Machine "${key ?? uid}", which is gone` };
  return { kind: 'unmarked' };
}

/**
 * As `ownershipOf`, for an object that a VM uses. Whose VM has the disk is its user; until one has it, any other Machine
 * that names it may be about to attach it.
 */
export function childOwnership(
  claimant: Claimant,
  { kind }: Pick<ResourceType<KubeObject>, 'kind'>,
  object: KubeObject,
): ChildOwnership {
  const owner = ownershipOf(claimant, object);
  if (owner.kind === 'own' || owner.kind === 'owned' || kind === 'Secret') return owner;
  const { isPresent, others } = claimant.claimUsers(object.metadata.name ?? '');
  const user = others.find((one) => one.isPresent) ?? (isPresent ? undefined : others[0]);
  return user === undefined ? owner : { kind: 'used', who: user.who };
}

/** The original operator set only these two labels. */
function isOriginal({ name }: MachineIdentity, said: Readonly<Record<string, string>>): boolean {
  return said[labels.managedBy] === managedBy && said[labels.machine] === machineLabel(name);
}
