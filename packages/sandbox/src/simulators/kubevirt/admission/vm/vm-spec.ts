/** The rules of a VM's spec beyond those of its template. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, type Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { dataVolumeTemplateCauses } from '../data-volume-templates.ts';
import { amountOf, cpuOf, domainOf, exceeds, memoryOf, whole } from '../rules/amounts.ts';
import { socketCauses } from '../rules/cpu.ts';
import { metadataCauses } from '../rules/metadata.ts';
import { vmiSpecCauses } from './vmi-spec.ts';

const RUN_STRATEGIES = ['Halted', 'Manual', 'Always', 'RerunOnFailure', 'Once', 'WaitAsReceiver'];
const BLOCK = 2n * 1024n * 1024n;

/** @param vmSpec The VM's spec with instance type, preference and defaults applied. */
export function vmSpecCauses(vmSpec: JsonObject, config: ClusterConfig, byKubeVirt: boolean): Cause[] {
  const template = objectAt(vmSpec, 'template');
  const spec = objectAt(template, 'spec') ?? {};
  const metadata = objectAt(template, 'metadata');
  return [
    ...metadataCauses('spec.template.metadata', metadata, config, byKubeVirt),
    ...vmiSpecCauses('spec.template.spec', spec, config),
    ...dataVolumeTemplateCauses('spec', vmSpec),
    ...runStrategyCauses(vmSpec, config),
    ...liveUpdateCauses(spec, config),
  ];
}

export function runStrategyCauses(vmSpec: JsonObject, config: ClusterConfig): Cause[] {
  const causes: Cause[] = [];
  const [running, given] = [isSet(vmSpec, 'running'), isSet(vmSpec, 'runStrategy')];
  const strategy = textAt(vmSpec, 'runStrategy');
  if (running && given) {
    const text =
      'Running and RunStrategy are mutually exclusive. Note that Running is deprecated, please use RunStrategy instead';
    causes.push(invalid(text, 'spec.running'));
  }
  if (!running && !given) causes.push(invalid('RunStrategy must be specified', 'spec.running'));
  if (!given) return causes;
  if (!RUN_STRATEGIES.includes(strategy)) causes.push(invalid(`Invalid RunStrategy (${strategy})`, 'spec.runStrategy'));
  if (strategy === 'WaitAsReceiver' && !config.featureGates.has('DecentralizedLiveMigration')) {
    const text = `Invalid RunStrategy (${strategy}), DecentralizedLiveMigration feature gate is not enabled in kubevirt resource`;
    causes.push(invalid(text, 'spec.runStrategy'));
  }
  return causes;
}

function liveUpdateCauses(spec: JsonObject, config: ClusterConfig): Cause[] {
  if (!config.liveUpdate) return [];
  const causes = socketCauses('spec.template.spec', spec);
  return isSet(memoryOf(spec), 'maxGuest') ? [...causes, ...memoryGrowthCauses(spec)] : causes;
}

/** Explicit `maxGuest` is refused if memory hotplug is not possible; without it, the VM silently has none. */
function memoryGrowthCauses(spec: JsonObject): Cause[] {
  const domain = 'spec.template.spec.domain';
  const cpu = cpuOf(spec);
  const memory = memoryOf(spec);
  const causes: Cause[] = [];
  const refuse = (text: string, at: string): number => causes.push(invalid(text, at));
  if (isSet(cpu, 'realtime')) refuse('Memory hotplug is not compatible with realtime VMs', `${domain}.cpu.realtime`);
  if (isSet(objectAt(cpu, 'numa'), 'guestMappingPassthrough')) {
    const text = 'Memory hotplug is not compatible with guest mapping passthrough';
    refuse(text, `${domain}.cpu.numa.guestMappingPassthrough`);
  }
  if (isSet(domainOf(spec), 'launchSecurity'))
    refuse('Memory hotplug is not compatible with encrypted VMs', `${domain}.launchSecurity`);
  if (cpu?.['dedicatedCpuPlacement'] === true)
    refuse('Memory hotplug is not compatible with dedicated CPUs', `${domain}.cpu.dedicatedCpuPlacement`);
  const [guest, most] = [amountOf(memory?.['guest']), amountOf(memory?.['maxGuest'])];
  const at = `${domain}.memory.guest`;
  if (!isSet(memory, 'guest')) refuse('Guest memory must be configured when memory hotplug is enabled', at);
  else if (exceeds(guest, most)) refuse('Guest memory is greater than the configured maxGuest memory', at);
  else if (whole(guest) % BLOCK !== 0n) refuse('Guest memory must be 2Mi aligned', at);
  if (whole(most) % BLOCK !== 0n) refuse('MaxGuest must be 2Mi aligned', `${domain}.memory.maxGuest`);
  return causes;
}
