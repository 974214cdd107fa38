/**
 * Whether a cluster serves the kinds that we use, in versions that we know, and whether they match those of the other
 * clusters. Differing versions are a warning, as in the multi-cluster design, because a VM that works on one cluster
 * may not work on another.
 */
import { reasons } from '../kubevirtconfig/reasons.ts';
import type { CheckResult } from './check-result.ts';

export interface Requirement {
  readonly group: string;
  readonly plural: string;
  /** The version that we write. */
  readonly version: string;
  /** Set if only some VMs need the kind: the text says what does not work without it. */
  readonly optional?: string;
}

export const requirements: readonly Requirement[] = [
  { group: 'kubevirt.io', plural: 'virtualmachines', version: 'v1' },
  { group: 'kubevirt.io', plural: 'virtualmachineinstances', version: 'v1' },
  {
    group: 'cdi.kubevirt.io',
    plural: 'datavolumes',
    version: 'v1beta1',
    optional: 'disks cannot be filled from a source until CDI is installed',
  },
];

/** `ServedVersions` holds the served versions of each required kind, by `plural.group`; empty if the kind is not served. */
export type ServedVersions = ReadonlyMap<string, readonly string[]>;

export interface OtherCluster {
  readonly name: string;
  readonly served: ServedVersions;
}

export const crdName = ({ group, plural }: Requirement): string => `${plural}.${group}`;

export function judgeCompatibility(
  name: string,
  served: ServedVersions,
  baseline: OtherCluster | undefined,
): CheckResult {
  const lacking = requirements.filter((one) => !versionsOf(served, one).includes(one.version));
  const needed = lacking.filter(({ optional }) => optional === undefined).map(lack(served));
  const wanted = lacking.filter(({ optional }) => optional !== undefined).map(lack(served));
  const differences = baseline === undefined ? [] : compare(name, served, baseline);
  if (needed.length > 0)
    return { status: 'False', reason: reasons.unsupported, message: sentence([...needed, ...wanted, ...differences]) };
  if (differences.length > 0)
    return { status: 'True', reason: reasons.versionsDiffer, message: sentence([...wanted, ...differences]) };
  const all = wanted.length > 0 ? sentence(wanted) : 'all kinds are served in the versions that are used';
  return { status: 'True', reason: reasons.supported, message: all };
}

const versionsOf = (served: ServedVersions, requirement: Requirement): readonly string[] =>
  served.get(crdName(requirement)) ?? [];

const lack =
  (served: ServedVersions) =>
  (requirement: Requirement): string => {
    const versions = versionsOf(served, requirement);
    const instead = versions.length === 0 ? 'it is not served' : `served are ${versions.join(', ')}`;
    const way = requirement.optional ?? 'install a release of KubeVirt that serves it';
    return `${crdName(requirement)} is needed in version ${requirement.version} and ${instead}: ${way}`;
  };

function compare(name: string, served: ServedVersions, baseline: OtherCluster): string[] {
  return requirements.flatMap((requirement) => {
    const [ours, theirs] = [versionsOf(served, requirement), versionsOf(baseline.served, requirement)];
    const crd = crdName(requirement);
    if (theirs.length === 0 || ours.join() === theirs.join()) return [];
    return ours.length === 0
      ? [
          `Cluster '${name}': KubeVirt CRD '${crd}' not found (exists in '${baseline.name}' with version ${theirs.join(', ')})`,
        ]
      : [
          `Cluster '${name}': KubeVirt CRD '${crd}' version mismatch - ${baseline.name}: ${theirs.join(', ')}, ${name}: ${ours.join(', ')}`,
        ];
  });
}

const sentence = (parts: readonly string[]): string => parts.join('; ');
