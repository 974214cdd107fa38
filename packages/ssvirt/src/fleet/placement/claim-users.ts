/**
 * Which Machines use a PersistentVolumeClaim. Labels do not show that: a claim that a Machine names by `existingClaim`
 * is never labeled, nor is a claim of another name that an adopted VM uses.
 */
import { keyOf, type KubeObject } from '@ssvirt/kube/object';
import { parentUidOf } from '@ssvirt/kube/reconcile/owners';
import type { MachineIdentity } from '../../kubevirt/machine/identity.ts';
import { vmName } from '../../kubevirt/machine/names.ts';
import type { MachineSpec } from '../../kubevirt/machine/resource.ts';

export interface ClaimingMachine extends KubeObject {
  readonly spec: MachineSpec;
  readonly status?: { readonly kubevirtConfigRef?: string; readonly observedGeneration?: number };
}

export interface ClaimUser {
  /** For people, such as `Machine "team-a/web"`. */
  readonly who: string;
  /** Absent if the Machine is gone and has left its VM behind. */
  readonly machine?: ClaimingMachine;
  /** The claim is a volume of its VM. Otherwise only its spec names the claim. */
  readonly isPresent: boolean;
}

export interface ClaimUsers {
  /** The claim is a volume of the Machine's own VM. */
  readonly isPresent: boolean;
  readonly others: readonly ClaimUser[];
}

export interface ClaimUse {
  /** VMs and instances of Machines that have the claim as a volume, in the claim's namespace and cluster. */
  readonly vms: readonly KubeObject[];
  /** Machines of that namespace, placed on that cluster, that name the claim. */
  readonly naming: readonly ClaimingMachine[];
  readonly liveMachine: (uid: string) => ClaimingMachine | undefined;
}

/** `claimUsers` sorts the users of a claim into the Machine itself and others. */
export function claimUsers(identity: MachineIdentity, { vms, naming, liveMachine }: ClaimUse): ClaimUsers {
  // The VM that the Machine is about to adopt has the Machine's name, and not its uid yet.
  const isOwn = ({ metadata }: KubeObject): boolean =>
    metadata.name === vmName(identity.name) || parentUidOf(metadata) === identity.uid;
  const having = vms
    .filter((vm) => !isOwn(vm))
    .map(({ metadata }): ClaimUser => {
      const machine = liveMachine(parentUidOf(metadata) ?? '');
      return machine === undefined
        ? { who: `VirtualMachine "${keyOf(metadata)}", whose Machine is gone`, isPresent: true }
        : { who: named(machine), machine, isPresent: true };
    });
  const others = naming
    .filter(({ metadata }) => metadata.uid !== identity.uid)
    .map((machine): ClaimUser => ({ who: named(machine), machine, isPresent: false }));
  return { isPresent: vms.some(isOwn), others: [...having, ...others] };
}

/** `existingClaims` returns the PersistentVolumeClaims that the disks of a Machine name. */
export function existingClaims({ spec }: Pick<ClaimingMachine, 'spec'>): readonly string[] {
  return (spec.disks ?? []).flatMap(({ existingClaim }) => existingClaim ?? []);
}

function named({ metadata }: KubeObject): string {
  return `Machine "${keyOf(metadata)}"`;
}
