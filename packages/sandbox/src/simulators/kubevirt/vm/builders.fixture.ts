/** Builders of VMs, VMIs and disks for table tests. */
import type {
  Condition,
  DataVolume,
  PersistentVolumeClaim,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineStatus,
  VmiPhase,
  VmiSpec,
} from '../objects.ts';

export const condition = (type: string, status: Condition['status'], reason?: string, message?: string): Condition => ({
  type,
  status,
  ...(reason === undefined ? {} : { reason }),
  ...(message === undefined ? {} : { message }),
  lastProbeTime: null,
  lastTransitionTime: null,
});

export const template = (spec: Partial<VmiSpec> = {}): VmiSpec => ({
  architecture: 'amd64',
  domain: { devices: { disks: [{ name: 'rootdisk', disk: { bus: 'virtio' } }] }, memory: { guest: '256Mi' } },
  volumes: [{ name: 'rootdisk', containerDisk: { image: 'containerdisk:demo' } }],
  ...spec,
});

export interface VmOptions {
  readonly status?: VirtualMachineStatus;
  readonly spec?: Partial<VirtualMachine['spec']>;
  readonly template?: VmiSpec;
  readonly metadata?: VirtualMachine['metadata'];
}

export const vm = (options: VmOptions = {}): VirtualMachine => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'vm1', namespace: 'ns1', uid: 'vm-uid', generation: 1, ...options.metadata },
  spec: {
    runStrategy: 'Always',
    template: { metadata: { labels: { tier: 'web' } }, spec: options.template ?? template() },
    ...options.spec,
  },
  ...(options.status === undefined ? {} : { status: options.status }),
});

export interface VmiOptions {
  readonly conditions?: readonly Condition[];
  readonly deleting?: boolean;
  /** Whether it has been in the phase Running. */
  readonly ran?: boolean;
  readonly uid?: string;
  readonly status?: VirtualMachineInstance['status'];
  readonly spec?: VmiSpec;
}

export const vmi = (phase: VmiPhase, options: VmiOptions = {}): VirtualMachineInstance => ({
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachineInstance',
  metadata: {
    name: 'vm1',
    namespace: 'ns1',
    uid: options.uid ?? 'vmi-uid',
    annotations: { 'kubevirt.io/vm-generation': '1' },
    ...(options.deleting === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
  },
  spec: options.spec ?? template(),
  status: {
    phase,
    phaseTransitionTimestamps: [
      { phase: 'Pending' },
      ...(options.ran === true || phase === 'Running' ? [{ phase: 'Running' }] : []),
    ],
    conditions: options.conditions ?? [],
    ...options.status,
  },
});

export const dataVolume = (phase: string | undefined, ...conditions: readonly Condition[]): DataVolume => ({
  metadata: { name: 'disk1', namespace: 'ns1' },
  spec: {},
  ...(phase === undefined ? {} : { status: { phase, conditions } }),
});

export const claim = (phase: 'Pending' | 'Bound', storageClassName?: string): PersistentVolumeClaim => ({
  metadata: { name: 'disk1', namespace: 'ns1' },
  spec: storageClassName === undefined ? {} : { storageClassName },
  status: { phase },
});
