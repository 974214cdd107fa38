/**
 * The part of `status.interfaces` that virt-controller writes: names, and the interfaces of the pod. virt-handler adds
 * the rest.
 */
import type { JsonObject } from '../../../values/json.ts';
import type { Pod, VirtualMachineInstance } from '../objects.ts';
import { networksOf } from './domain.ts';
import { isSecondary, podInterfaceName, PRIMARY_INTERFACE } from './launcher/networks.ts';
import { annotations } from './names.ts';

const MULTUS = 'multus-status';

export function interfacesOf(vmi: VirtualMachineInstance, pod: Pod): readonly JsonObject[] | undefined {
  const known = vmi.status?.interfaces ?? [];
  const networks = networksOf(vmi);
  const attached = attachedInterfaces(pod);
  const next: JsonObject[] = [];
  const primary = networks.find((network) => !isSecondary(network));
  if (primary !== undefined) next.push({ ...named(known, primary.name), podInterfaceName: PRIMARY_INTERFACE });
  for (const network of networks.filter(isSecondary)) {
    const before = known.find(({ name }) => name === network.name);
    const inPod = podInterfaceName(network);
    const isAttached = attached.has(inPod);
    if (before === undefined && !isAttached) continue;
    next.push({ ...named(known, network.name), ...source(before, isAttached), podInterfaceName: inPod });
  }
  const names = new Set(networks.map(({ name }) => name));
  next.push(...known.filter(({ name }) => typeof name !== 'string' || !names.has(name)));
  return next.length === 0 && vmi.status?.interfaces === undefined ? undefined : next;
}

function named(known: readonly JsonObject[], name: string): JsonObject {
  return known.find((status) => status['name'] === name) ?? { name };
}

function source(before: JsonObject | undefined, isAttached: boolean): JsonObject {
  const sources = String(before?.['infoSource'] ?? '')
    .split(', ')
    .filter((word) => word !== '' && word !== MULTUS);
  if (isAttached) sources.push(MULTUS);
  return sources.length === 0 ? {} : { infoSource: sources.join(', ') };
}

/** The names of the interfaces in Multus' status annotation. */
function attachedInterfaces({ metadata }: Pod): ReadonlySet<string> {
  const text = metadata.annotations?.[annotations.networkStatus];
  if (text === undefined) return new Set();
  try {
    const statuses: unknown = JSON.parse(text);
    if (!Array.isArray(statuses)) return new Set();
    return new Set(statuses.map((status: { readonly interface?: string } | null) => status?.interface ?? ''));
  } catch {
    // Anyone with write access may have written the annotation: invalid content is ignored.
    return new Set();
  }
}
