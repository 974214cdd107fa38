/** Memory hotplug: more memory for a running guest. */
import type { JsonPatchOperation } from '@ssvirt/kube/client/client';
import {
  addQuantity,
  compareQuantity,
  formatQuantity,
  parseQuantity,
  quantityAsInt64,
  subQuantity,
  ZERO_QUANTITY,
  type Quantity,
} from '../../../../objects/schema/quantity.ts';
import type { VirtualMachineInstance, VmiSpec } from '../../objects.ts';
import { domainOf } from '../domain.ts';
import { none, refuse, restart, type LiveChange } from './live-change.ts';
import { hasCondition, isMigrating } from '../vmi-state.ts';

export function memoryChange(wanted: VmiSpec, vmi: VirtualMachineInstance): LiveChange {
  const status = vmi.status?.['memory'] as
    | { readonly guestCurrent?: string; readonly guestAtBoot?: string }
    | undefined;
  const theirs = domainOf(vmi.spec).memory;
  const guestText = domainOf(wanted).memory?.guest;
  const [guest, before, current] = [quantity(guestText), quantity(theirs?.guest), quantity(status?.guestCurrent)];
  if (guest === undefined || before === undefined || current === undefined || guestText === undefined) return none;
  if (hasCondition(vmi, 'HotMemoryChange', 'False'))
    return restart(
      'memory updated in template spec. Memory-hotplug failed and is not available for this VM configuration',
    );
  if (compareQuantity(guest, before) === 0) return none;
  const why = whyRestart(wanted, vmi, guest, quantity(status?.guestAtBoot));
  if (why !== undefined) return why;
  return patch(wanted, vmi, { guest, guestText, current });
}

function whyRestart(
  wanted: VmiSpec,
  vmi: VirtualMachineInstance,
  guest: Quantity,
  atBoot: Quantity | undefined,
): LiveChange | undefined {
  const max = quantity(domainOf(vmi.spec).memory?.maxGuest);
  if (!hasCondition(vmi, 'LiveMigratable', 'True'))
    return restart('memory updated in template spec. Memory-hotplug is only available for migratable VMs');
  if (max === undefined)
    return restart('memory updated in template spec. Memory-hotplug is not available for this VM configuration');
  if (hasCondition(vmi, 'HotMemoryChange', 'True')) return refuse('another memory hotplug is in progress');
  if (isMigrating(vmi)) return refuse('memory hotplug is not allowed while VMI is migrating');
  const unfit = whyUnfit(wanted, guest, max);
  if (unfit !== undefined) return restart(`memory hotplug not supported, ${unfit}`);
  if (atBoot !== undefined && compareQuantity(guest, atBoot) < 0)
    return restart('memory updated in template spec to a value lower than what the VM started with');
  if (compareQuantity(guest, max) > 0)
    return restart("memory updated in template spec to a value higher than what's available");
  return undefined;
}

const MI = 1024n * 1024n;
const GI = 1024n * MI;

function whyUnfit(wanted: VmiSpec, guest: Quantity, max: Quantity): string | undefined {
  const { cpu, memory, launchSecurity } = domainOf(wanted);
  if (cpu?.realtime !== undefined) return 'Memory hotplug is not compatible with realtime VMs';
  if (cpu?.numa?.guestMappingPassthrough !== undefined)
    return 'Memory hotplug is not compatible with guest mapping passthrough';
  if (launchSecurity !== undefined) return 'Memory hotplug is not compatible with encrypted VMs';
  if (compareQuantity(guest, max) > 0) return 'Guest memory is greater than the configured maxGuest memory';
  const [block, name] = memory?.hugepages?.pageSize === '1Gi' ? [GI, '1Gi'] : [2n * MI, '2Mi'];
  const bytes = quantityAsInt64(guest) ?? 0n;
  if (bytes % block !== 0n) return `Guest memory must be ${name} aligned`;
  if ((quantityAsInt64(max) ?? 0n) % block !== 0n) return `MaxGuest must be ${name} aligned`;
  if (wanted['architecture'] !== 'amd64' && wanted['architecture'] !== 'arm64')
    return 'Memory hotplug is only available for x86_64 and arm64 VMs';
  if (bytes < GI) return 'Memory hotplug is only available for VMs with at least 1Gi of guest memory';
  return undefined;
}

interface Wanted {
  readonly guest: Quantity;
  readonly guestText: string;
  readonly current: Quantity;
}

function patch(wanted: VmiSpec, vmi: VirtualMachineInstance, { guest, guestText, current }: Wanted): LiveChange {
  const domain = domainOf(vmi.spec);
  const operations: JsonPatchOperation[] = [
    { op: 'test', path: '/spec/domain/memory/guest', value: domain.memory?.guest },
    { op: 'replace', path: '/spec/domain/memory/guest', value: guestText },
  ];
  let delta = subQuantity(guest, current);
  const request = domain.resources?.requests?.['memory'];
  if (request !== undefined) {
    const sum = addQuantity(quantity(request) ?? ZERO_QUANTITY, delta);
    // Unplugged memory is not always released: the request is never less than the guest's memory.
    const enough = compareQuantity(sum, guest) >= 0;
    if (!enough) delta = ZERO_QUANTITY;
    operations.push(...replaced('requests', request, formatQuantity(enough ? sum : guest)));
  }
  const limit = domain.resources?.limits?.['memory'];
  if (limit !== undefined && domainOf(wanted).resources?.limits?.['memory'] !== undefined)
    operations.push(...replaced('limits', limit, formatQuantity(addQuantity(quantity(limit) ?? ZERO_QUANTITY, delta))));
  return { kind: 'patch', operations };
}

function replaced(kind: 'requests' | 'limits', before: string | number, value: string): readonly JsonPatchOperation[] {
  const path = `/spec/domain/resources/${kind}/memory`;
  return [
    { op: 'test', path, value: before },
    { op: 'replace', path, value },
  ];
}

function quantity(text: unknown): Quantity | undefined {
  return text === undefined ? undefined : parseQuantity(String(text));
}
