/**
 * A VM and its VMI in a state that the matrix of recorded subresource calls names, with the fields that virt-api reads.
 */
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import type {
  Condition,
  VirtualMachine,
  VirtualMachineInstance,
  VmiPhase,
} from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { NAMESPACE } from './virt-api-harness.ts';

export interface RecordedState {
  readonly state: string;
  readonly vm: {
    readonly runStrategy: VirtualMachine['spec']['runStrategy'];
    readonly printableStatus: string;
    readonly created: true | null;
    readonly ready: true | null;
    readonly stateChangeRequests: readonly { readonly action: 'Start' | 'Stop'; readonly uid?: string }[] | null;
  } | null;
  readonly vmi: { readonly phase: VmiPhase; readonly deleting: boolean; readonly conditions: readonly string[] } | null;
}

const metadata = { namespace: NAMESPACE, name: 'vm1' };

const domains: Readonly<Record<string, JsonObject>> = {
  'running-no-acpi-no-agent': {
    features: { acpi: { enabled: false } },
    devices: { disks: disks(), autoattachGraphicsDevice: false, autoattachSerialConsole: false },
  },
};

function disks(): JsonObject[] {
  return [{ name: 'rootdisk', disk: { bus: 'virtio' } }];
}

const specOf = (state: string): VirtualMachineInstance['spec'] => ({
  domain: domains[state] ?? { devices: { disks: disks() } },
  terminationGracePeriodSeconds: 30,
  volumes: [{ name: 'rootdisk', containerDisk: { image: 'containerdisk:demo' } }],
  ...(state === 'running-liveness-probe' && { livenessProbe: { tcpSocket: { port: 22 } } }),
});

export function recordedVm({ state, vm }: RecordedState): VirtualMachine | undefined {
  if (vm === null) return undefined;
  const { runStrategy, printableStatus, created, ready, stateChangeRequests } = vm;
  return {
    metadata,
    spec: { ...(runStrategy !== undefined && { runStrategy }), template: { spec: specOf(state) } },
    status: {
      printableStatus,
      ...(created !== null && { created }),
      ...(ready !== null && { ready }),
      ...(stateChangeRequests !== null && { stateChangeRequests }),
    },
  };
}

export function recordedVmi({ state, vmi }: RecordedState): VirtualMachineInstance | undefined {
  if (vmi === null) return undefined;
  const placed = vmi.phase !== 'Scheduling';
  return {
    metadata,
    spec: specOf(state),
    status: {
      phase: vmi.phase,
      conditions: vmi.conditions.map(conditionOf),
      ...(placed && { nodeName: 'node01', interfaces: [{ name: 'default', ipAddress: '10.0.0.1' }] }),
    },
  };
}

/** Parses `Ready=False/Reason "message"`. */
function conditionOf(text: string): Condition {
  const [, type = '', status = '', reason] = /^(\w+)=(\w+)(?:\/(\w+))?/.exec(text) ?? [];
  return { type, status: status as Condition['status'], ...(reason !== undefined && { reason }) };
}
