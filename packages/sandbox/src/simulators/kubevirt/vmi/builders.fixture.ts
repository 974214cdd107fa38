/** Builders of VMIs and pods for tests: complete enough for the code under test, with changes per case. */
import type { JsonObject } from '../../../values/json.ts';
import type { Condition, DataVolume, PersistentVolumeClaim, Pod, VirtualMachineInstance, Volume } from '../objects.ts';
import { finalizers } from './names.ts';
import type { VmiScene } from './draft.ts';

export const NOW = '2026-01-01T00:00:00Z';

interface VmiParts {
  readonly status?: VirtualMachineInstance['status'];
  readonly metadata?: VirtualMachineInstance['metadata'];
  readonly domain?: JsonObject;
  readonly volumes?: readonly Volume[];
  readonly spec?: JsonObject;
}

export function vmiOf({
  status = { phase: 'Pending' },
  metadata,
  domain,
  volumes,
  spec,
}: VmiParts = {}): VirtualMachineInstance {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: 'vm1',
      namespace: 'ns1',
      uid: 'vmi-uid',
      finalizers: [finalizers.vm, finalizers.vmi],
      ...metadata,
    },
    spec: {
      domain: {
        cpu: { sockets: 1, cores: 1, threads: 1 },
        memory: { guest: '1Gi' },
        devices: { interfaces: [{ name: 'default', masquerade: {} }] },
        ...domain,
      },
      networks: [{ name: 'default', pod: {} }],
      ...(volumes === undefined ? {} : { volumes }),
      ...spec,
    },
    status,
  };
}

export interface PodParts {
  readonly metadata?: Pod['metadata'];
  readonly status?: Pod['status'];
  readonly spec?: JsonObject & { nodeName?: string };
}

export function podOf({ metadata, status = { phase: 'Pending' }, spec }: PodParts = {}): Pod {
  const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', name: 'vm1', uid: 'vmi-uid' };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'virt-launcher-vm1-abcde',
      namespace: 'ns1',
      uid: 'pod-uid',
      creationTimestamp: NOW,
      ownerReferences: [{ ...owner, controller: true }],
      ...metadata,
    },
    spec: { containers: [{ name: 'compute', image: 'virt-launcher:v1.9.0' }], ...spec },
    status,
  };
}

/** `runningPod` returns a launcher pod with running containers. */
export function runningPod(conditions: readonly Condition[] = [], metadata: Pod['metadata'] = {}): Pod {
  return podOf({
    metadata,
    spec: { nodeName: 'node01' },
    status: {
      phase: 'Running',
      conditions,
      containerStatuses: [{ name: 'compute', ready: true, state: { running: {} } }],
    },
  });
}

export function sceneOf(parts: Partial<VmiScene> & Pick<VmiScene, 'vmi'>): VmiScene {
  const pods = parts.pods ?? (parts.pod === undefined ? [] : [parts.pod]);
  return {
    pod: undefined,
    attachments: [],
    dataVolumes: [],
    claim: () => undefined,
    hasOwnerVm: true,
    now: NOW,
    ...parts,
    pods,
  };
}

export function claimNamed(name: string, parts: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim {
  return { metadata: { name, namespace: 'ns1', uid: `${name}-uid` }, spec: {}, status: { phase: 'Bound' }, ...parts };
}

export function dataVolumeIn(phase: string, conditions: readonly Condition[] = []): DataVolume {
  return { metadata: { name: 'disk1', namespace: 'ns1' }, spec: {}, status: { phase, conditions } };
}

/** `Type=Status/Reason` of each condition, in order. */
export function brief(conditions: readonly Condition[] | undefined): string {
  return (conditions ?? []).map(({ type, status, reason = '' }) => `${type}=${status}/${reason}`).join(' ');
}
