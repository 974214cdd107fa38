/** The matchers by which a VM names its instance type and preference, and the kinds that they may name. */
import type { ResourceType } from '@ssvirt/kube/resource-type';
import {
  clusterInstancetypes,
  clusterPreferences,
  instancetypes,
  preferences,
  type VirtualMachine,
} from '../objects.ts';

export const roles = ['instancetype', 'preference'] as const;
export type Role = (typeof roles)[number];

export interface Matcher {
  readonly name: string;
  readonly kind?: string;
  readonly revisionName?: string;
  readonly inferFromVolume?: string;
}

/** `matcherOf` returns the matcher of a VM, or undefined if it names nothing (yet). */
export function matcherOf(vm: VirtualMachine, role: Role): Matcher | undefined {
  const { name, kind, revisionName, inferFromVolume } = vm.spec[role] ?? {};
  if (typeof name !== 'string' || name === '') return undefined;
  return {
    name,
    ...(typeof kind === 'string' && kind !== '' ? { kind } : {}),
    ...(typeof revisionName === 'string' && revisionName !== '' ? { revisionName } : {}),
    ...(typeof inferFromVolume === 'string' && inferFromVolume !== '' ? { inferFromVolume } : {}),
  };
}

const kinds: Readonly<Record<Role, { cluster: ResourceType; namespaced: ResourceType }>> = {
  instancetype: { cluster: clusterInstancetypes, namespaced: instancetypes },
  preference: { cluster: clusterPreferences, namespaced: preferences },
};

/**
 * KubeVirt accepts singular and plural in any case, and the default is the cluster-wide kind; undefined for an unknown
 * kind.
 */
export function typeOfMatcher(role: Role, kind: string | undefined): ResourceType | undefined {
  const { cluster, namespaced } = kinds[role];
  if (kind === undefined) return cluster;
  const asked = kind.toLowerCase();
  return [cluster, namespaced].find((type) => asked === type.plural || asked === type.kind.toLowerCase());
}
