/** Names, labels and annotations of a launcher pod. */
import { createHash } from 'node:crypto';
import type { VirtualMachineInstance } from '../../objects.ts';
import { annotations as names, labels } from '../names.ts';
import { networkAnnotations } from './networks.ts';

const LABEL_LENGTH = 63;

/** `hostnameOf` returns the guest's hostname: a valid DNS label even if the VMI's name is not. */
export function hostnameOf({ spec, metadata }: VirtualMachineInstance): string {
  const wanted = spec.hostname !== undefined && spec.hostname !== '' ? spec.hostname : (metadata.name ?? '');
  const first = wanted.split('.')[0] ?? '';
  return first.slice(0, LABEL_LENGTH).replace(/-+$/, '');
}

/** The name if it fits into a label, else a prefix and a hash. */
export function vmiIdOf(name: string): string {
  if (name.length <= LABEL_LENGTH) return name;
  return `${name.slice(0, 54)}-${createHash('sha1').update(name).digest('hex').slice(0, 8)}`;
}

export function launcherLabels(vmi: VirtualMachineInstance): Record<string, string> {
  const { metadata } = vmi;
  return {
    ...metadata.labels,
    [labels.app]: 'virt-launcher',
    [labels.createdBy]: metadata.uid ?? '',
    [labels.vmName]: hostnameOf(vmi),
    [labels.vmiId]: vmiIdOf(metadata.name ?? ''),
  };
}

const notForPods = ['kubectl.kubernetes.io', names.storageApiVersion, names.latestApiVersion];

export function launcherAnnotations(vmi: VirtualMachineInstance, memoryOverhead: number): Record<string, string> {
  const { metadata } = vmi;
  const own = Object.entries(metadata.annotations ?? {}).filter(
    ([name]) => !notForPods.some((prefix) => name.startsWith(prefix)),
  );
  return {
    [names.domain]: metadata.name ?? '',
    ...Object.fromEntries(own),
    'kubectl.kubernetes.io/default-container': 'compute',
    [names.migrationTransportUnix]: 'true',
    [names.evictOnly]: '',
    ...networkAnnotations(vmi),
    ...(metadata.annotations?.['kubevirt.io/skip-backup-hooks'] === 'true' ? {} : backupHooks(vmi)),
    [names.memoryOverhead]: String(memoryOverhead),
  };
}

/** Hooks with which a backup freezes the guest's file systems. */
function backupHooks({ metadata: { name, namespace } }: VirtualMachineInstance): Record<string, string> {
  const freezer = (what: string): string =>
    `["/usr/bin/virt-freezer", "--${what}", "--name", "${name ?? ''}", "--namespace", "${namespace ?? ''}"]`;
  return {
    'pre.hook.backup.velero.io/container': 'compute',
    'pre.hook.backup.velero.io/command': freezer('freeze'),
    'pre.hook.backup.velero.io/timeout': '60s',
    'post.hook.backup.velero.io/container': 'compute',
    'post.hook.backup.velero.io/command': freezer('unfreeze'),
  };
}
