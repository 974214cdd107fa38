/** Features of the hypervisor, as a domain has them and as preferences ask for them. */
import type { Schema } from '../../schema/schema.ts';
import { fields, flag, int32, text, type Properties } from './schema.ts';

const enabled = flag('True unless said.');

const feature = (description: string, more: Properties = {}): Schema => fields(description, { enabled, ...more });

export const hyperv = (description: string): Schema =>
  fields(description, {
    evmcs: feature('Faster nested virtualisation; needs vapic.'),
    frequencies: feature('The guest reads the frequencies of its timers.'),
    ipi: feature('Faster interrupts between CPUs; needs vpindex.'),
    reenlightenment: feature('The guest is told when the clock has moved to another host.'),
    relaxed: feature('The guest is patient with timers on a busy host.'),
    reset: feature('The guest resets itself by the hypervisor.'),
    runtime: feature('The guest knows how long its CPUs really ran.'),
    spinlocks: feature('The guest tells the hypervisor that it waits for a lock.', {
      spinlocks: int32('After so many tries; 4096 unless said.'),
    }),
    synic: feature('A synthetic interrupt controller; needs vpindex.'),
    synictimer: feature('Synthetic timers; needs synic.', { direct: feature('Expired timers interrupt directly.') }),
    tlbflush: feature('Faster flushes of the TLB; needs vpindex.', {
      direct: feature('Also from a nested guest.'),
      extended: feature('Also of parts.'),
    }),
    vapic: feature('Faster interrupt handling.'),
    vendorid: feature('What the hypervisor calls itself.', { vendorid: text('Up to twelve characters.') }),
    vpindex: feature('The guest knows the numbers of its CPUs.'),
  });

const described: Properties = {
  acpi: feature('Power management: without it a guest cannot be shut down in order.'),
  apic: feature('The interrupt controller.', { endOfInterrupt: flag('Lets the guest defer the end of an interrupt.') }),
  hyperv: hyperv('Features of Hyper-V, which Windows guests profit from.'),
  kvm: fields('KVM itself.', { hidden: flag('The guest is not told that it is one.') }),
  pvspinlock: feature('Paravirtual spin locks.'),
  smm: feature('System management mode, which secure boot needs.'),
};

export const features = (description: string): Schema =>
  fields(description, {
    ...described,
    hypervPassthrough: feature('All features of Hyper-V that the node offers.'),
  });

/** As preferences name them: preferredAcpi … */
export const preferredFeatures = (description: string): Schema =>
  fields(
    description,
    Object.fromEntries(
      Object.entries(described).map(([name, schema]) => [`preferred${name[0]?.toUpperCase()}${name.slice(1)}`, schema]),
    ),
  );
