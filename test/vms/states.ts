/** A VM of ours in each of the states of KubeVirt, with the instance that belongs to that state. */
import { defined } from '@ssvirt/base/values/defined';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type {
  RunStrategy,
  VirtualMachine,
  VirtualMachineInstance,
  VirtualMachineStatus,
  VmiPhase,
} from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { buildMachine } from '../../packages/ssvirt/src/kubevirt/tenant-vm/build.ts';
import type { VmIdentity } from '../../packages/ssvirt/src/kubevirt/tenant-vm/labels.ts';
import type { PrintableStatus } from '../../packages/ssvirt/src/kubevirt/power/statuses.fixture.ts';
import type { Placed } from './still-kubevirt.ts';

interface State {
  readonly strategy: RunStrategy;
  readonly status?: VirtualMachineStatus;
  readonly phase?: VmiPhase;
  readonly instance?: JsonObject;
  readonly stops?: true;
}

const at = '2026-01-01T00:00:00Z';
const no = (type: string, reason: string): JsonObject => ({ conditions: [{ type, status: 'False', reason }] });

/** It was started, and has an instance. */
const on = (phase: VmiPhase, instance?: JsonObject): State => ({
  strategy: 'RerunOnFailure',
  status: { created: true, runStrategy: 'RerunOnFailure' },
  phase,
  ...defined({ instance }),
});

/** It was created as running, and has no instance yet. */
const first: State = { strategy: 'RerunOnFailure' };

const states: Readonly<Record<PrintableStatus, State>> = {
  Terminating: on('Running'),
  Stopping: { ...on('Running'), strategy: 'Halted', stops: true },
  Migrating: on('Running', { migrationState: { startTimestamp: at } }),
  Paused: on('Running', { conditions: [{ type: 'Paused', status: 'True', reason: 'PausedByUser' }] }),
  Running: on('Running'),
  ErrorPvcNotFound: on('Pending', no('Synchronized', 'FailedPvcNotFound')),
  DataVolumeError: first,
  ErrorUnschedulable: on('Scheduling', no('PodScheduled', 'Unschedulable')),
  Provisioning: first,
  WaitingForVolumeBinding: on('Pending'),
  ErrImagePull: on('Scheduling', no('Synchronized', 'ErrImagePull')),
  ImagePullBackOff: on('Scheduling', no('Synchronized', 'ImagePullBackOff')),
  Starting: on('Scheduling'),
  CrashLoopBackOff: {
    strategy: 'RerunOnFailure',
    status: {
      runStrategy: 'RerunOnFailure',
      stateChangeRequests: [{ action: 'Start' }],
      startFailure: { consecutiveFailCount: 3, retryAfterTimestamp: at },
    },
  },
  Stopped: { strategy: 'Halted', status: { runStrategy: 'Halted' } },
  WaitingForReceiver: { ...on('WaitingForSync'), strategy: 'WaitAsReceiver' },
  Unknown: on('Unknown'),
};

/** A Terminating VM runs until it is deleted; one without an entry above is not ours. */
export function machineIn(printableStatus: PrintableStatus, identity: VmIdentity): Placed {
  const { strategy, status, phase, instance, stops } = states[printableStatus];
  const image = {
    source: { kind: 'direct', boot: { kind: 'image', image: 'containerdisks/fedora:42' } },
    disks: [],
    networks: [],
    storageMb: 0,
  } as const;
  const { machine } = buildMachine(identity, image, { cpus: 1, memoryMb: 256, running: true });
  const built = machine as unknown as VirtualMachine;
  const vm: VirtualMachine = {
    ...built,
    metadata: { ...built.metadata, finalizers: ['kubevirt.io/virtualMachineControllerFinalize'] },
    spec: { ...built.spec, runStrategy: strategy },
    status: { ...status, printableStatus: printableStatus === 'Terminating' ? 'Running' : printableStatus },
  };
  const vmi: Pick<VirtualMachineInstance, 'spec' | 'status'> | undefined =
    phase === undefined
      ? undefined
      : {
          spec: { ...built.spec.template.spec, terminationGracePeriodSeconds: 30 },
          status: { ...instance, phase, nodeName: 'node01' },
        };
  return {
    vm,
    ...(vmi === undefined ? {} : { vmi: { metadata: {}, ...vmi } }),
    ...defined({ stops }),
  };
}
