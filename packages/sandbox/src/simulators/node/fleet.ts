/** The nodes that the dials define: their names, and what kubelet and virt-handler report for each. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../values/json.ts';
import type { Dials } from '../dials.ts';
import { formatQuantity } from '../../objects/schema/quantity.ts';
import { amountOf } from './amounts.ts';

/** Distinguishes simulated nodes from the cluster's own: only pods on simulated nodes are run. */
export const SIMULATED_LABEL = 'sandbox.ssvirt.io/simulated';
export const HEARTBEAT_ANNOTATION = 'kubevirt.io/heartbeat';
export const SCHEDULABLE_LABEL = 'kubevirt.io/schedulable';

const KUBELET_VERSION = 'v1.36.3';
const CPU_MODELS = ['Haswell', 'Broadwell', 'Skylake-Server', 'Cascadelake-Server', 'Icelake-Server'];

export function nodeName(index: number): string {
  return `node${String(index + 1).padStart(2, '0')}`;
}

export function nodeNames({ count }: Dials['nodes']): readonly string[] {
  return Array.from({ length: count }, (_, index) => nodeName(index));
}

/** `indexOfNode` returns the index of a simulated node; -1 for a name that is not ours. */
export function indexOfNode(name: string): number {
  const number = /^node(\d{2,})$/.exec(name)?.[1];
  return number === undefined ? -1 : Number(number) - 1;
}

export function nodeAddress(index: number): string {
  return `192.168.${66 + Math.floor((index + 11) / 250)}.${((index + 11) % 250) + 1}`;
}

/** A node has 4094 addresses for its pods, all within 10.128.0.0/9. */
export const PODS_PER_RANGE = 4096;

export function podAddress(index: number, place: number): string {
  const offset = index * PODS_PER_RANGE + place;
  return `10.${128 + ((offset >> 16) & 127)}.${(offset >> 8) & 255}.${offset & 255}`;
}

/** `podsOn` returns the pod limit of a dense node, and more on a larger one. */
export function podsOn({ memory }: Dials['nodes']): number {
  return Math.min(PODS_PER_RANGE - 16, Math.max(250, Math.floor(amountOf(memory) / 2 ** 28)));
}

function capacity(nodes: Dials['nodes']): JsonObject {
  const pods = podsOn(nodes);
  // In Go's format of a quantity: 1k.
  const devices = formatQuantity({
    value: BigInt(Math.max(1000, pods)),
    scale: 0,
    format: 'DecimalSI',
    int64: true,
  });
  return {
    cpu: nodes.cpu,
    'devices.kubevirt.io/kvm': devices,
    'devices.kubevirt.io/tun': devices,
    'devices.kubevirt.io/vhost-net': devices,
    'devices.kubevirt.io/vhost-vsock': devices,
    'ephemeral-storage': `${Math.max(500, pods)}Gi`,
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory: nodes.memory,
    pods: String(pods),
  };
}

export function labelsOf(name: string): Readonly<Record<string, string>> {
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'node-role.kubernetes.io/worker': '',
    [SCHEDULABLE_LABEL]: 'true',
    'cpu-vendor.node.kubevirt.io/Intel': 'true',
    'host-model-cpu.node.kubevirt.io/Icelake-Server': 'true',
    ...Object.fromEntries(CPU_MODELS.map((model) => [`cpu-model.node.kubevirt.io/${model}`, 'true'])),
    ...Object.fromEntries(CPU_MODELS.map((model) => [`cpu-model-migration.node.kubevirt.io/${model}`, 'true'])),
    'machine-type.node.kubevirt.io/q35': 'true',
    'machine-type.node.kubevirt.io/pc-q35-rhel9.6.0': 'true',
    [SIMULATED_LABEL]: 'true',
  };
}

export function nodeObject(name: string): Unstructured {
  const index = indexOfNode(name);
  const podCIDR = `${podAddress(index, 0)}/20`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: labelsOf(name),
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: { podCIDR, podCIDRs: [podCIDR] },
  };
}

export interface NodeCondition extends JsonObject {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastHeartbeatTime: string;
  readonly lastTransitionTime: string;
}

type Verdict = readonly [type: string, status: string, reason: string, message: string];

const healthy: readonly Verdict[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

/** The conditions that the node controller sets for a kubelet without heartbeat. */
const silent: readonly Verdict[] = ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Ready'].map((type) => [
  type,
  'Unknown',
  'NodeStatusUnknown',
  'Kubelet stopped posting node status.',
]);

export function conditionsOf(lost: boolean, now: string, before: readonly JsonObject[] = []): readonly NodeCondition[] {
  return (lost ? silent : healthy).map(([type, status, reason, message]) => {
    const known = before.find((condition) => condition['type'] === type);
    const heartbeat = lost ? known?.['lastHeartbeatTime'] : now;
    const transition = known?.['status'] === status ? known['lastTransitionTime'] : now;
    return {
      type,
      status,
      lastHeartbeatTime: typeof heartbeat === 'string' ? heartbeat : now,
      lastTransitionTime: typeof transition === 'string' ? transition : now,
      reason,
      message,
    };
  });
}

export function nodeStatus(
  name: string,
  nodes: Dials['nodes'],
  now: string,
  before: readonly JsonObject[],
): JsonObject {
  const all = capacity(nodes);
  return {
    addresses: [
      { type: 'InternalIP', address: nodeAddress(indexOfNode(name)) },
      { type: 'Hostname', address: name },
    ],
    allocatable: all,
    capacity: all,
    conditions: [...conditionsOf(false, now, before)],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      architecture: 'amd64',
      bootID: `00000000-0000-4000-8000-0000000000${name.slice(-2)}`,
      containerRuntimeVersion: 'cri-o://1.36.0',
      kernelVersion: '6.12.0-55.el10.x86_64',
      kubeProxyVersion: '',
      kubeletVersion: KUBELET_VERSION,
      machineID: `ssvirt-${name}`,
      operatingSystem: 'linux',
      osImage: 'ssvirt sandbox',
      systemUUID: `ssvirt-${name}`,
    },
  };
}
