/**
 * The settings of the networks that an instance was created with, as an annotation of the template, which KubeVirt
 * copies to each new instance. They show which networks have changed since.
 */
import { isDeepStrictEqual } from 'node:util';
import { fields } from '../facts/reading.ts';
import type { ResolvedNetwork } from './networks.ts';

/** Undefined if no network of a NetworkConfiguration is attached. An adopted network may have other settings. */
export function networkSettings(networks: readonly ResolvedNetwork[]): string | undefined {
  const entries = networks.flatMap(({ name, settings, adopted }) =>
    settings === undefined || adopted !== undefined ? [] : [[name, settings] as const],
  );
  return entries.length === 0 ? undefined : JSON.stringify(Object.fromEntries(entries));
}

/** The NetworkConfigurations that have changed since the instance with this annotation was created. */
export function changedNetworks(
  networks: readonly ResolvedNetwork[],
  annotation: string | undefined,
): readonly string[] {
  const before = parsed(annotation);
  return networks.flatMap(({ name, networkName = name, settings, adopted }) =>
    settings === undefined ||
    adopted !== undefined ||
    !Object.hasOwn(before, name) ||
    isDeepStrictEqual(before[name], settings)
      ? []
      : [networkName],
  );
}

function parsed(annotation: string | undefined): Readonly<Record<string, unknown>> {
  try {
    return fields(JSON.parse(annotation ?? '{}'));
  } catch {
    return {};
  }
}
