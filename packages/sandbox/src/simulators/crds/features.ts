/** Features of the hypervisor: in a domain, and as preferences ask for them. */
import type { Schema } from '../../objects/schema/schema.ts';
import { fields, flag, int32, text, type Properties } from './schema.ts';

const enabled = flag('Default: true.');

const feature = (description: string, more: Properties = {}): Schema => fields(description, { enabled, ...more });

export const hyperv = (description: string): Schema =>
  fields(description, {
    evmcs: feature('Faster nested virtualization; needs vapic.'),
    frequencies: feature('The guest reads the frequencies of its timers.'),
    ipi: feature('Faster interrupts between CPUs; needs vpindex.'),
    reenlightenment: feature('The guest is notified when its clock has moved to another host.'),
    relaxed: feature('The guest tolerates late timers on a busy host.'),
    reset: feature('The guest can reset itself through the hypervisor.'),
    runtime: feature('The guest can read how long its CPUs have run.'),
    spinlocks: feature('The guest notifies the hypervisor that it waits for a lock.', {
      spinlocks: int32('After this number of tries. Default: 4096.'),
    }),
    synic: feature('A synthetic interrupt controller; needs vpindex.'),
    synictimer: feature('Synthetic timers; needs synic.', { direct: feature('Expired timers interrupt directly.') }),
    tlbflush: feature('Faster flushes of the TLB; needs vpindex.', {
      direct: feature('Also for nested guests.'),
      extended: feature('Also for ranges.'),
    }),
    vapic: feature('Faster interrupt handling.'),
    vendorid: feature('The vendor id of the hypervisor.', { vendorid: text('Up to twelve characters.') }),
    vpindex: feature('The guest knows the numbers of its CPUs.'),
  });

const described: Properties = {
  acpi: feature('Power management: without it, a guest cannot be shut down gracefully.'),
  apic: feature('The interrupt controller.', { endOfInterrupt: flag('Lets the guest defer the end of an interrupt.') }),
  hyperv: hyperv('Features of Hyper-V, from which Windows guests benefit.'),
  kvm: fields('KVM itself.', { hidden: flag('Hides from the guest that it runs on KVM.') }),
  pvspinlock: feature('Paravirtual spin locks.'),
  smm: feature('System management mode, which secure boot needs.'),
};

export const features = (description: string): Schema =>
  fields(description, {
    ...described,
    hypervPassthrough: feature('All features of Hyper-V that the node offers.'),
  });

/** The names that preferences use: preferredAcpi … */
export const preferredFeatures = (description: string): Schema =>
  fields(
    description,
    Object.fromEntries(
      Object.entries(described).map(([name, schema]) => [`preferred${name[0]?.toUpperCase()}${name.slice(1)}`, schema]),
    ),
  );
