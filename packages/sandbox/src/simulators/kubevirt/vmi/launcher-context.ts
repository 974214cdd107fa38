/**
 * The settings of the cluster for the resources of launcher pods: KubeVirt's configuration, quotas and the namespace.
 */
import type { Unstructured } from '@ssvirt/kube/object';
import type { VmiCaches } from './caches.ts';
import { defaultSurroundings, type LauncherContext } from './launcher/resources.ts';
import { labels } from './names.ts';

interface DeveloperConfiguration {
  readonly cpuAllocationRatio?: number;
  readonly memoryOvercommit?: number;
  readonly useEmulation?: boolean;
}

export function launcherContextOf(caches: VmiCaches, namespace: string): LauncherContext {
  const limits = caches.quotas.list(namespace).flatMap(hardLimits);
  const ratio = Number(caches.namespaces.get({ name: namespace })?.metadata.labels?.[labels.autoMemoryLimitsRatio]);
  const configured = developerConfiguration(caches.kubeVirts.list()[0]);
  return {
    cpuAllocationRatio: configured.cpuAllocationRatio ?? defaultSurroundings.cpuAllocationRatio,
    memoryOvercommit: configured.memoryOvercommit ?? defaultSurroundings.memoryOvercommit,
    useEmulation: configured.useEmulation ?? defaultSurroundings.useEmulation,
    limited: { cpu: limits.includes('limits.cpu'), memory: limits.includes('limits.memory') },
    memoryLimitsRatio: ratio >= 1 ? ratio : defaultSurroundings.memoryLimitsRatio,
  };
}

function hardLimits(quota: Unstructured): readonly string[] {
  return Object.keys((quota['spec'] as { readonly hard?: object } | undefined)?.hard ?? {});
}

function developerConfiguration(kubeVirt: Unstructured | undefined): DeveloperConfiguration {
  const spec = kubeVirt?.['spec'] as
    | { readonly configuration?: { readonly developerConfiguration?: DeveloperConfiguration } }
    | undefined;
  return spec?.configuration?.developerConfiguration ?? {};
}
