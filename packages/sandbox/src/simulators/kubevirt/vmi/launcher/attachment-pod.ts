/** The attachment pods that mount hotplugged volumes on the node of a launcher pod. */
import { controllerReference } from '@ssvirt/kube/reconcile/owners';
import type { JsonObject } from '../../../../values/json.ts';
import { pods, type PersistentVolumeClaim, type Pod, type VirtualMachineInstance, type Volume } from '../../objects.ts';
import { claimOf } from '../domain.ts';
import { annotations, labels, LAUNCHER_IMAGE } from '../names.ts';
import { nodeOf } from '../pods.ts';
import { NON_ROOT } from './containers.ts';

interface Parts {
  readonly command: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly affinity: JsonObject;
  readonly tolerations: JsonObject[];
  readonly volumes: JsonObject[];
  readonly mounts: JsonObject[];
  readonly devices: JsonObject[];
  /** The SELinux level, if SELinux is enabled. */
  readonly level?: string;
}

/** Sorted by key, each once. */
const tolerated = ['disk-pressure', 'memory-pressure', 'network-unavailable', 'pid-pressure', 'unschedulable'].map(
  (taint): JsonObject => ({ key: `node.kubernetes.io/${taint}`, operator: 'Exists', effect: 'NoSchedule' }),
);

const tolerationsOf = (launcher: Pod): JsonObject[] => (launcher.spec['tolerations'] ?? []) as JsonObject[];
const isBlock = (claim: PersistentVolumeClaim | undefined): boolean => claim?.spec['volumeMode'] === 'Block';

export function renderAttachmentPod(
  vmi: VirtualMachineInstance,
  launcher: Pod,
  volumes: readonly Volume[],
  claim: (name: string) => PersistentVolumeClaim | undefined,
): Pod {
  const mounts: JsonObject[] = [];
  const devices: JsonObject[] = [];
  for (const { name, ...source } of volumes) {
    const found = claim(claimOf({ name, ...source }) ?? '');
    if (isBlock(found)) devices.push({ name, devicePath: `/path/${name}/${found?.metadata.uid ?? ''}` });
    else if (!isMounted(vmi, name)) mounts.push({ name, mountPath: `/${name}` });
  }
  const tolerations = [...tolerated, ...tolerationsOf(launcher)].toSorted((a, b) =>
    String(a['key']) < String(b['key']) ? -1 : 1,
  );
  const onNode = { key: 'kubernetes.io/hostname', operator: 'In', values: [nodeOf(launcher)] };
  const terms = { nodeSelectorTerms: [{ matchExpressions: [onNode] }] };
  return render(launcher, {
    command: ['/bin/sh', '-c', '/usr/bin/container-disk --copy-path /path/hp'],
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
    tolerations,
    volumes: volumes.map((volume) => ({
      name: volume.name,
      persistentVolumeClaim: { claimName: claimOf(volume) },
    })),
    mounts,
    devices,
    ...levelOf(vmi),
  });
}

/** The SELinux categories of the launcher, so that the launcher may use the disks that this pod mounts. */
function levelOf({ status }: VirtualMachineInstance): { readonly level?: string } {
  const [, , , ...level] = String(status?.['selinuxContext'] ?? '').split(':');
  return level.length === 0 ? {} : { level: level.join(':') };
}

/** A volume that the guest uses already is not mounted by the new pod, only referenced. */
function isMounted({ status }: VirtualMachineInstance, name: string): boolean {
  const known = (status?.volumeStatus ?? []).find((volume) => volume['name'] === name);
  return known?.['hotplugVolume'] !== undefined && (known['phase'] === 'Ready' || known['phase'] === 'MountedToPod');
}

/** `renderTriggerPod` returns a pod that ends at once: it only triggers the import of the PVC. */
export function renderTriggerPod(launcher: Pod, volume: Volume, claim: PersistentVolumeClaim | undefined): Pod {
  const { name } = volume;
  const block = isBlock(claim);
  const term = {
    labelSelector: { matchLabels: { ...launcher.metadata.labels } },
    topologyKey: 'kubernetes.io/hostname',
  };
  return render(launcher, {
    command: ['/bin/bash', '-c', 'exit', '0'],
    annotations: { [annotations.ephemeralProvisioning]: 'true' },
    affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    tolerations: tolerationsOf(launcher),
    volumes: [{ name, persistentVolumeClaim: { claimName: claimOf(volume) } }],
    mounts: block ? [] : [{ name, mountPath: '/pvc' }],
    devices: block ? [{ name, devicePath: '/dev/hotplugblockdevice' }] : [],
  });
}

function render(launcher: Pod, parts: Parts): Pod {
  const { namespace } = launcher.metadata;
  const container: JsonObject = {
    name: 'hotplug-disk',
    image: LAUNCHER_IMAGE,
    command: [...parts.command],
    resources: { limits: { cpu: '100m', memory: '80M' }, requests: { cpu: '10m', memory: '2M' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      runAsNonRoot: true,
      runAsUser: NON_ROOT,
      seccompProfile: { type: 'RuntimeDefault' },
      capabilities: { drop: ['ALL'] },
      seLinuxOptions: { level: parts.level ?? 's0' },
    },
    volumeMounts: [{ name: 'hotplug-disks', mountPath: '/path', mountPropagation: 'HostToContainer' }, ...parts.mounts],
    ...(parts.devices.length === 0 ? {} : { volumeDevices: parts.devices }),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: 'hp-volume-',
      ...(namespace === undefined ? {} : { namespace }),
      labels: { [labels.app]: 'hotplug-disk' },
      ...(parts.annotations === undefined ? {} : { annotations: parts.annotations }),
      ownerReferences: [controllerReference(pods, launcher)],
    },
    spec: {
      containers: [container],
      affinity: parts.affinity,
      tolerations: parts.tolerations,
      volumes: [{ name: 'hotplug-disks', emptyDir: {} }, ...parts.volumes],
      terminationGracePeriodSeconds: 0,
    },
  };
}
