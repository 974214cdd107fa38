/** The names of the PersistentVolumeClaims that a VM has as volumes. A DataVolume creates a claim of its own name. */
import { fields, list } from '../facts/reading.ts';
import { claimOfVolume } from './adopted.ts';

export function claimsOfVm(vm: unknown): readonly string[] {
  const { template } = fields(fields(vm)['spec']);
  return claimsIn(fields(template)['spec']);
}

/** A running instance keeps a volume that was removed from its VM until the VM restarts. One that has ended has none. */
export function claimsOfInstance(instance: unknown): readonly string[] {
  const { spec, status } = fields(instance);
  const { phase } = fields(status);
  return phase === 'Succeeded' || phase === 'Failed' ? [] : claimsIn(spec);
}

function claimsIn(spec: unknown): readonly string[] {
  const volumes = list(fields(spec)['volumes']).map(fields);
  return [...new Set(volumes.flatMap((volume) => claimOfVolume(volume) ?? []))];
}
