/** The instance types that virt-operator installs, by series: names, sizes and labels of common-instancetypes 1.7. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';

export const COMMON_INSTANCETYPES_VERSION = 'v1.7.0';
export const PREFIX = 'instancetype.kubevirt.io';

/** Virtual CPUs and memory, keyed by the name of the size. */
type Sizes = Readonly<Record<string, readonly [cpus: number, memory: string]>>;

interface Series {
  readonly name: string;
  readonly class: string;
  readonly displayName: string;
  readonly icon: string;
  readonly description: string;
  readonly sizes: Sizes;
  /** The huge pages of the series; with `both`, each size exists with 2Mi and, named 1gi, with 1Gi. */
  readonly hugepages?: '1Gi' | 'both';
  readonly dedicated?: boolean;
  readonly ownSockets?: boolean;
  readonly numa?: boolean;
  readonly realtime?: boolean;
  readonly quietHost?: boolean;
  readonly ioThreadsPolicy?: string;
  readonly overcommitPercent?: number;
}

const general: Sizes = {
  nano: [1, '512Mi'],
  micro: [1, '1Gi'],
  small: [1, '2Gi'],
  medium: [1, '4Gi'],
  large: [2, '8Gi'],
  xlarge: [4, '16Gi'],
  '2xlarge': [8, '32Gi'],
  '4xlarge': [16, '64Gi'],
  '8xlarge': [32, '128Gi'],
};
const withTwins: Sizes = { ...general, '2xmedium': [2, '4Gi'] };
const { nano: _, ...fromMicro } = general;

const series: readonly Series[] = [
  {
    name: 'u1',
    class: 'general.purpose',
    displayName: 'General Purpose',
    icon: 'pficon-server-group',
    description: 'Universal: for most machines. CPUs are shared with others.',
    sizes: withTwins,
  },
  {
    name: 'o1',
    class: 'overcommitted',
    displayName: 'Overcommitted',
    icon: 'pficon-virtual-machine',
    description: 'Overcommitted: as U, with half of the memory asked of the node.',
    sizes: general,
    overcommitPercent: 50,
  },
  {
    name: 'd1',
    class: 'dedicated.vcpu',
    displayName: 'Dedicated vCPU',
    icon: 'pficon-server-group',
    description: 'Dedicated: as U, with physical CPUs to itself.',
    sizes: withTwins,
    dedicated: true,
    ioThreadsPolicy: 'auto',
  },
  {
    name: 'cx1',
    class: 'compute.exclusive',
    displayName: 'Compute Exclusive',
    icon: 'pficon-registry',
    description:
      'Compute exclusive: physical CPUs to itself, huge pages and NUMA. Needs the CPU manager and huge pages on the node.',
    sizes: {
      medium: [1, '2Gi'],
      large: [2, '4Gi'],
      xlarge: [4, '8Gi'],
      '2xlarge': [8, '16Gi'],
      '4xlarge': [16, '32Gi'],
      '8xlarge': [32, '64Gi'],
    },
    hugepages: 'both',
    dedicated: true,
    ownSockets: true,
    numa: true,
    ioThreadsPolicy: 'auto',
  },
  {
    name: 'm1',
    class: 'memory.intensive',
    displayName: 'Memory Intensive',
    icon: 'fa-memory',
    description: 'Memory: much of it, in huge pages.',
    sizes: {
      large: [2, '16Gi'],
      xlarge: [4, '32Gi'],
      '2xlarge': [8, '64Gi'],
      '4xlarge': [16, '128Gi'],
      '8xlarge': [32, '256Gi'],
    },
    hugepages: 'both',
  },
  {
    name: 'n1',
    class: 'network',
    displayName: 'Network',
    icon: 'pficon-network',
    description: 'Network: for packet processing with DPDK, on nodes that are made for it.',
    sizes: {
      medium: [4, '4Gi'],
      large: [4, '8Gi'],
      xlarge: [8, '16Gi'],
      '2xlarge': [16, '32Gi'],
      '4xlarge': [32, '64Gi'],
      '8xlarge': [64, '128Gi'],
    },
    hugepages: '1Gi',
    dedicated: true,
    quietHost: true,
  },
  {
    name: 'rt1',
    class: 'realtime',
    displayName: 'Realtime',
    icon: 'pficon-server-group',
    description: 'Realtime: for guests with real time demands, on nodes that are made for it.',
    sizes: fromMicro,
    hugepages: '1Gi',
    dedicated: true,
    numa: true,
    realtime: true,
    quietHost: true,
  },
];

export function commonInstancetypes(): readonly Unstructured[] {
  return series.flatMap((one) =>
    Object.entries(one.sizes).flatMap(([size, [cpus, memory]]) => {
      if (one.hugepages !== 'both') return [instancetype(one, size, cpus, memory, one.hugepages)];
      return [instancetype(one, size, cpus, memory, '2Mi'), instancetype(one, `${size}1gi`, cpus, memory, '1Gi')];
    }),
  );
}

function instancetype(one: Series, size: string, cpus: number, memory: string, pages?: string): Unstructured {
  return {
    apiVersion: `${PREFIX}/v1beta1`,
    kind: 'VirtualMachineClusterInstancetype',
    metadata: {
      name: `${one.name}.${size}`,
      labels: labelsOf(one, size, cpus, memory, pages),
      annotations: { [`${PREFIX}/displayName`]: one.displayName, [`${PREFIX}/description`]: one.description },
    },
    spec: specOf(one, cpus, memory, pages),
  };
}

function labelsOf(one: Series, size: string, cpus: number, memory: string, pages?: string): Record<string, string> {
  const labels: Record<string, string | undefined> = {
    class: one.class,
    cpu: String(cpus),
    memory,
    size,
    vendor: 'kubevirt.io',
    version: '1',
    'icon-pf': one.icon,
    'common-instancetypes-version': COMMON_INSTANCETYPES_VERSION,
    hugepages: pages,
    dedicatedCPUPlacement: one.dedicated === true ? 'true' : undefined,
    isolateEmulatorThread: one.dedicated === true ? 'true' : undefined,
    numa: one.numa === true ? 'true' : undefined,
    realtime: one.realtime === true ? 'true' : undefined,
  };
  return Object.fromEntries(
    Object.entries(labels).flatMap(([key, value]) => (value === undefined ? [] : [[`${PREFIX}/${key}`, value]])),
  );
}

function specOf(one: Series, cpus: number, memory: string, pages?: string): JsonObject {
  return {
    ...(one.quietHost === true
      ? {
          annotations: {
            'cpu-load-balancing.crio.io': 'disable',
            'cpu-quota.crio.io': 'disable',
            'irq-load-balancing.crio.io': 'disable',
          },
        }
      : {}),
    cpu: {
      guest: cpus,
      ...(one.dedicated === true ? { dedicatedCPUPlacement: true, isolateEmulatorThread: true } : {}),
      ...(one.ownSockets === true ? { maxSockets: cpus } : {}),
      ...(one.numa === true ? { numa: { guestMappingPassthrough: {} } } : {}),
      ...(one.realtime === true ? { realtime: {} } : {}),
    },
    ...(one.ioThreadsPolicy === undefined ? {} : { ioThreadsPolicy: one.ioThreadsPolicy }),
    memory: {
      guest: memory,
      ...(pages === undefined ? {} : { hugepages: { pageSize: pages } }),
      ...(one.overcommitPercent === undefined ? {} : { overcommitPercent: one.overcommitPercent }),
    },
  };
}
