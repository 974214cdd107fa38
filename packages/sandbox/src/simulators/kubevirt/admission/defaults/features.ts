/** Features, timers and Hyper-V: a feature that is named is enabled. */
import type { JsonObject } from '../../../../values/json.ts';
import { ensureObject, isSet, listAt, objectAt, setDefault, textAt } from '../../../../objects/kinds/values/fields.ts';
import { domainOf } from '../rules/amounts.ts';
import { HYPERV_NEEDS } from '../rules/hyperv.ts';

const HYPERV = [
  'relaxed',
  'vapic',
  'vpindex',
  'runtime',
  'synic',
  'synictimer',
  'reset',
  'vendorid',
  'frequencies',
  'reenlightenment',
  'tlbflush',
  'ipi',
  'evmcs',
  'spinlocks',
];
const SPINLOCK_RETRIES = 4096;

export function setFeatureDefaults(spec: JsonObject): void {
  const domain = ensureObject(spec, 'domain');
  const features = ensureObject(domain, 'features');
  setDefault(features, 'acpi', {});
  for (const name of ['acpi', 'apic', 'smm', 'pvspinlock']) enable(objectAt(features, name));
  setTimers(objectAt(objectAt(domain, 'clock'), 'timer'));
  const hyperv = objectAt(features, 'hyperv');
  if (hyperv !== undefined) setHyperv(spec, hyperv);
}

function enable(state: JsonObject | undefined): void {
  if (state !== undefined) setDefault(state, 'enabled', true);
}

function setTimers(timers: JsonObject | undefined): void {
  for (const timer of ['hpet', 'kvm', 'pit', 'rtc', 'hyperv']) {
    const state = objectAt(timers, timer);
    // Timers use the field `present` instead.
    if (state !== undefined) setDefault(state, 'present', true);
  }
}

function setHyperv(spec: JsonObject, hyperv: JsonObject): void {
  for (const name of HYPERV) enable(objectAt(hyperv, name));
  const spinlocks = objectAt(hyperv, 'spinlocks');
  if (spinlocks?.['enabled'] === true) setDefault(spinlocks, 'spinlocks', SPINLOCK_RETRIES);
  enable(objectAt(objectAt(hyperv, 'synictimer'), 'direct'));
  for (const [feature, needed] of HYPERV_NEEDS) {
    const on = objectAt(hyperv, feature)?.['enabled'] === true;
    if (on && !isSet(objectAt(hyperv, needed), 'enabled')) hyperv[needed] = { enabled: true };
  }
  if (objectAt(hyperv, 'evmcs')?.['enabled'] === true) requireVmx(spec);
}

function requireVmx(spec: JsonObject): void {
  const cpu = ensureObject(domainOf(spec), 'cpu');
  const features = listAt(cpu, 'features');
  const vmx = features.find((feature) => textAt(feature, 'name') === 'vmx');
  if (vmx === undefined) cpu['features'] = [...features, { name: 'vmx', policy: 'require' }];
  else vmx['policy'] = 'require';
}
