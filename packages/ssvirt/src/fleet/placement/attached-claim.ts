/** Whether a Machine may use a claim that it names by `existingClaim`. The operator and the dry-run both ask this. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { AttachedDisk } from '../../kubevirt/machine/resolve.ts';
import type { MachineProblem } from '../../kubevirt/machine/resource.ts';
import type { ClaimingMachine } from './claim-users.ts';
import { isOlder } from './machine-age.ts';
import { ownershipOf, type Claimant } from './ownership.ts';

export interface AttachmentQuestion extends Claimant {
  readonly machine: ClaimingMachine;
  readonly cluster: string;
}

/** `whyNotAttached` returns why the Machine may not attach the claim. */
export function whyNotAttached(
  question: AttachmentQuestion,
  { name, existingClaim }: AttachedDisk,
  claim: KubeObject,
): MachineProblem | undefined {
  const { identity, cluster } = question;
  const owner = ownershipOf(question, claim);
  const user = userOf(question, existingClaim);
  const relation =
    owner.kind === 'owned' ? `belongs to ${owner.who}` : user === undefined ? undefined : `is used by ${user}`;
  if (relation === undefined) return undefined;
  const message = `spec.disks["${name}"].existingClaim: PersistentVolumeClaim "${identity.namespace}/${existingClaim}" in cluster "${cluster}" ${relation}: name another`;
  return { reason: 'NameConflict', message };
}

/**
 * A Machine whose VM has the claim keeps it, also from an older Machine that names it later. Between two that have it,
 * and between two that only name it, the older one wins.
 */
function userOf({ claimUsers, machine }: AttachmentQuestion, claim: string): string | undefined {
  const { isPresent, others } = claimUsers(claim);
  const wins = (other: (typeof others)[number]): boolean =>
    other.isPresent === isPresent ? other.machine !== undefined && isOlder(other.machine, machine) : other.isPresent;
  return others.find(wins)?.who;
}
