/** Selects the nodes that can run a VMI, by the labels of virt-handler's node labeller. */
import type { JsonObject } from '../../../../values/json.ts';
import type { VirtualMachineInstance } from '../../objects.ts';
import { domainOf, isCpuDedicated } from '../domain.ts';
import { labels } from '../names.ts';

const CPU_MODEL = 'cpu-model.node.kubevirt.io/';
const CPU_FEATURE = 'cpu-feature.node.kubevirt.io/';
const MACHINE_TYPE = 'machine-type.node.kubevirt.io/';
const OBSOLETE_HOST_MODEL = 'node-labeller.kubevirt.io/obsolete-host-model';

export function nodeSelectorOf(vmi: VirtualMachineInstance): Record<string, string> {
  const domain = domainOf(vmi);
  const { cpu, machine, launchSecurity } = domain;
  const architecture = vmi.spec['architecture'];
  const started = vmi.status?.['machine'] as { readonly type?: string } | undefined;
  const machineType = started?.type ?? machine?.type;
  const required: string[] = [];
  if (isCpuDedicated(domain)) required.push('cpumanager');
  if (cpu?.model !== undefined && cpu.model !== 'host-model' && cpu.model !== 'host-passthrough')
    required.push(CPU_MODEL + cpu.model);
  if (machineType !== undefined && machineType !== '') required.push(MACHINE_TYPE + machineType);
  for (const { name, policy } of cpu?.features ?? [])
    if (policy === undefined || policy === 'require') required.push(CPU_FEATURE + name);
  if (cpu?.realtime !== undefined) required.push('kubevirt.io/realtime');
  if (launchSecurity?.['sev'] !== undefined) required.push('kubevirt.io/sev');
  if (launchSecurity?.['snp'] !== undefined) required.push('kubevirt.io/sev-snp');
  if (launchSecurity?.['tdx'] !== undefined) required.push('kubevirt.io/tdx');
  return {
    [labels.schedulable]: 'true',
    ...(typeof architecture === 'string' ? { 'kubernetes.io/arch': architecture.toLowerCase() } : {}),
    ...vmi.spec.nodeSelector,
    ...Object.fromEntries(required.map((label) => [label, 'true'])),
  };
}

interface Term {
  readonly matchExpressions?: readonly JsonObject[];
}

interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms: readonly Term[] };
}

/**
 * The VMI's own affinity, extended so that nodes without required CPU features are excluded. Terms are alternatives, so
 * each one is extended.
 */
export function affinityOf(vmi: VirtualMachineInstance): JsonObject | undefined {
  const { cpu } = domainOf(vmi);
  const affinity = vmi.spec['affinity'] as (JsonObject & { nodeAffinity?: NodeAffinity }) | undefined;
  const rejected = (cpu?.features ?? [])
    .filter(({ policy }) => policy === 'forbid')
    .map(({ name }) => CPU_FEATURE + name);
  if (cpu?.model === undefined || cpu.model === '' || cpu.model === 'host-model') rejected.unshift(OBSOLETE_HOST_MODEL);
  if (rejected.length === 0) return affinity;
  const absent = rejected.map((key): JsonObject => ({ key, operator: 'DoesNotExist' }));
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [{}];
  const nodeSelectorTerms = terms.map((term) => ({
    ...term,
    matchExpressions: [...(term.matchExpressions ?? []), ...absent],
  }));
  return {
    ...affinity,
    nodeAffinity: {
      ...(affinity?.nodeAffinity as JsonObject | undefined),
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms },
    },
  };
}
