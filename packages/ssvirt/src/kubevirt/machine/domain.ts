/** Translates hardware settings to KubeVirt: a boolean of a Machine is an object there. */
import { refuse } from './problem.ts';
import type { DomainSpec } from './resource.ts';

type Json = Readonly<Record<string, unknown>>;

/** Parts of KubeVirt's domain; absent if the Machine does not state them. */
export interface ResolvedDomain {
  readonly machine?: Json;
  readonly features?: Json;
  readonly firmware?: Json;
  readonly clock?: Json;
}

const emulated = /^(q35|pc-q35(-[\w.-]+)?|virt(-[\w.-]+)?|s390-ccw-virtio(-[\w.-]+)?)$/;

/**
 * The features that KubeVirt's own templates for Windows turn on. Features that only some nodes support (evmcs,
 * reenlightenment) are left out: KubeVirt would look for such a node, and many clusters have none.
 */
const hyperv: Json = {
  relaxed: {},
  vapic: {},
  spinlocks: { spinlocks: 8191 },
  vpindex: {},
  runtime: {},
  synic: {},
  synictimer: { direct: {} },
  reset: {},
  frequencies: {},
  tlbflush: {},
  ipi: {},
};

/** Windows keeps time by the hypervisor's clock if there is one, and loses ticks with the old timers. */
const hypervClock: Json = {
  utc: {},
  timer: {
    hpet: { present: false },
    hyperv: {},
    pit: { tickPolicy: 'delay' },
    rtc: { tickPolicy: 'catchup' },
  },
};

export function resolveDomain({ machine, features, firmware }: DomainSpec = {}): ResolvedDomain {
  const { efi, secureBoot } = firmware?.bootloader ?? {};
  return {
    ...machineOf(machine?.type),
    ...featuresOf(features, secureBoot === true),
    ...firmwareOf(efi, secureBoot),
    ...(features?.hyperv === true ? { clock: hypervClock } : {}),
  };
}

function machineOf(type: string | undefined): Pick<ResolvedDomain, 'machine'> {
  if (type === undefined) return {};
  if (/^pc(-i440fx.*)?$/.test(type))
    refuse(
      `spec.domain.machine.type is "${type}": KubeVirt refuses it unless an administrator of the cluster allows it. Use "pc-q35", or leave it out.`,
    );
  if (!emulated.test(type))
    refuse(
      `spec.domain.machine.type is "${type}", which KubeVirt does not know. Use "pc-q35", or a version of it such as "pc-q35-rhel9.4.0", or leave it out.`,
    );
  return { machine: { type: type === 'pc-q35' ? 'q35' : type } };
}

function featuresOf(
  { acpi, apic, hyperv: forWindows }: NonNullable<DomainSpec['features']> = {},
  secureBoot: boolean,
): Pick<ResolvedDomain, 'features'> {
  const features = {
    ...(acpi === undefined ? {} : { acpi: { enabled: acpi } }),
    ...(apic === undefined ? {} : { apic: { enabled: apic } }),
    ...(forWindows === true ? { hyperv } : {}),
    // KubeVirt refuses secure boot without SMM.
    ...(secureBoot ? { smm: { enabled: true } } : {}),
  };
  return Object.keys(features).length === 0 ? {} : { features };
}

/** KubeVirt's default for EFI is with secure boot; here it is off unless the Machine asks for it. */
function firmwareOf(efi: boolean | undefined, secureBoot: boolean | undefined): Pick<ResolvedDomain, 'firmware'> {
  if (secureBoot === true && efi === false)
    refuse(
      'spec.domain.firmware.bootloader has secureBoot: true and efi: false: secure boot is a part of EFI. Set efi to true, or secureBoot to false.',
    );
  if (efi === true || secureBoot === true)
    return { firmware: { bootloader: { efi: { secureBoot: secureBoot === true } } } };
  return efi === false ? { firmware: { bootloader: { bios: {} } } } : {};
}
