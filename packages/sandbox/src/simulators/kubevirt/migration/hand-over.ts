/** The state and labels of a VMI when its target pod is up: from here on, the virt-handlers of both nodes write. */
import type { JsonObject } from '../../../values/json.ts';
import type { Pod, VirtualMachineInstance, VirtualMachineInstanceMigration } from '../objects.ts';
import { has } from '../vmi/conditions.ts';
import { domainOf, isCpuDedicated } from '../vmi/domain.ts';
import { annotatedBytes } from '../vmi/launcher/quantities.ts';
import { annotations } from '../vmi/names.ts';
import { nodeOf } from '../vmi/pods.ts';
import { labels } from './names.ts';
import type { MigrationState } from './state.ts';

export interface HandOver {
  readonly state: MigrationState;
  readonly labels: Readonly<Record<string, string>>;
}

export function handOver(
  migration: VirtualMachineInstanceMigration,
  vmi: VirtualMachineInstance,
  target: Pod,
  { configuration, attachment }: { readonly configuration: JsonObject; readonly attachment: Pod | undefined },
): HandOver {
  const { sourcePod } = (migration.status?.['migrationState'] ?? {}) as MigrationState;
  const overhead = annotatedBytes(target.metadata.annotations?.[annotations.memoryOverhead]);
  const { limits, requests } = resourcesOf(target);
  const memory = has(vmi.status?.conditions, 'HotMemoryChange') ? requests['memory'] : undefined;
  const cpus =
    has(vmi.status?.conditions, 'HotVCPUChange') && isCpuDedicated(domainOf(vmi)) ? limits['cpu'] : undefined;
  return {
    state: {
      migrationConfiguration: configuration,
      migrationUid: migration.metadata.uid ?? '',
      sourceNode: vmi.status?.nodeName ?? '',
      ...(sourcePod === undefined ? {} : { sourcePod }),
      ...(attachment === undefined ? {} : { targetAttachmentPodUID: attachment.metadata.uid ?? '' }),
      ...(overhead === undefined ? {} : { targetMemoryOverhead: overhead }),
      targetNode: nodeOf(target),
      targetPod: target.metadata.name ?? '',
    },
    labels: {
      ...vmi.metadata.labels,
      // This label tells the virt-handler of the target node to act.
      [labels.targetNode]: nodeOf(target),
      ...(memory === undefined ? {} : { [labels.memoryRequests]: memory }),
      ...(cpus === undefined ? {} : { [labels.cpuLimits]: cpus }),
    },
  };
}

interface Resources {
  readonly limits: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, string>>;
}

interface Container {
  readonly name: string;
  readonly resources?: Partial<Resources>;
}

function resourcesOf({ spec }: Pod): Resources {
  const containers = (spec['containers'] ?? []) as unknown as readonly Container[];
  const { limits = {}, requests = {} } = containers.find(({ name }) => name === 'compute')?.resources ?? {};
  return { limits, requests };
}
