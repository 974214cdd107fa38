/** A typical VirtualMachine: two disks from templates, cloud-init, two networks, and a matching status. */
import type { KubeObject } from '../../packages/sandbox/src/values/json.ts';

const labels = (index: number): Record<string, string> => ({
  'app.kubernetes.io/name': 'bench',
  'app.kubernetes.io/part-of': 'fleet',
  'bench/tenth': String(index % 10),
  'vm.kubevirt.io/template': 'debian-13-server-medium',
});

export function virtualMachine(apiVersion: string, name: string, index: number): KubeObject {
  return {
    apiVersion,
    kind: 'VirtualMachine',
    metadata: {
      name,
      labels: labels(index),
      annotations: {
        'bench/description':
          'A server of the billing team, made from the template of the catalogue; ask before it is stopped.',
        'vm.kubevirt.io/validations':
          '[{"name":"minimal-required-memory","path":"jsonpath::.spec.domain.memory.guest","rule":"integer","min":1073741824}]',
      },
    },
    spec: {
      runStrategy: 'RerunOnFailure',
      dataVolumeTemplates: [dataVolume(`${name}-root`, '30Gi', true), dataVolume(`${name}-data`, '200Gi', false)],
      template: {
        metadata: { labels: { ...labels(index), 'kubevirt.io/domain': name } },
        spec: {
          architecture: 'amd64',
          domain: domain(index),
          evictionStrategy: 'LiveMigrate',
          hostname: name,
          networks: [
            { name: 'default', pod: {} },
            { name: 'storage', multus: { networkName: 'bench/storage-net' } },
          ],
          nodeSelector: { 'kubernetes.io/arch': 'amd64' },
          tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'vms', effect: 'NoSchedule' }],
          affinity: antiAffinity,
          readinessProbe: { tcpSocket: { port: 22 }, initialDelaySeconds: 30, periodSeconds: 10, failureThreshold: 3 },
          terminationGracePeriodSeconds: 180,
          volumes: [
            { name: 'root', dataVolume: { name: `${name}-root` } },
            { name: 'data', dataVolume: { name: `${name}-data` } },
            { name: 'cloudinit', cloudInitNoCloud: { userData: cloudInit(name) } },
          ],
        },
      },
    },
  };
}

function domain(index: number): KubeObject['spec'] {
  const address = index
    .toString(16)
    .padStart(6, '0')
    .replaceAll(/(..)(?=.)/g, '$1:');
  return {
    cpu: { cores: 4, sockets: 1, threads: 1, model: 'host-model' },
    memory: { guest: '8Gi' },
    resources: { requests: { memory: '8Gi', cpu: '2' } },
    machine: { type: 'q35' },
    firmware: { bootloader: { efi: { secureBoot: false } } },
    features: { acpi: {}, smm: { enabled: true } },
    clock: {
      utc: {},
      timer: { hpet: { present: false }, pit: { tickPolicy: 'delay' }, rtc: { tickPolicy: 'catchup' } },
    },
    devices: {
      disks: [
        { name: 'root', bootOrder: 1, disk: { bus: 'virtio' } },
        { name: 'data', disk: { bus: 'virtio' }, cache: 'none' },
        { name: 'cloudinit', disk: { bus: 'virtio' } },
      ],
      interfaces: [
        {
          name: 'default',
          masquerade: {},
          model: 'virtio',
          macAddress: `02:00:00:${address}`,
          ports: [{ port: 22 }, { port: 443 }],
        },
        { name: 'storage', bridge: {}, model: 'virtio', macAddress: `02:00:01:${address}` },
      ],
      networkInterfaceMultiqueue: true,
      rng: {},
    },
  };
}

const antiAffinity = {
  podAntiAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      {
        weight: 100,
        podAffinityTerm: {
          labelSelector: { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: ['bench'] }] },
          topologyKey: 'kubernetes.io/hostname',
        },
      },
    ],
  },
};

const dataVolume = (name: string, size: string, fromImage: boolean): KubeObject => ({
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: { name },
  spec: {
    ...(fromImage
      ? { sourceRef: { kind: 'DataSource', name: 'debian-13', namespace: 'images' } }
      : { source: { blank: {} } }),
    storage: {
      accessModes: ['ReadWriteMany'],
      volumeMode: 'Block',
      resources: { requests: { storage: size } },
      storageClassName: 'fast',
    },
  },
});

const cloudInit = (name: string): string => `#cloud-config
hostname: ${name}
user: admin
ssh_authorized_keys:
  - ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBenchBenchBenchBenchBenchBenchBenchBenchBench admin@example.org
packages: [qemu-guest-agent, chrony, nftables]
runcmd:
  - [systemctl, enable, --now, qemu-guest-agent]
  - [systemctl, enable, --now, chrony]
`;

/** The status that KubeVirt's controller writes; `round` makes each write differ from the previous one. */
export function virtualMachineStatus(round: number): KubeObject['status'] {
  const at = new Date(1_750_000_000_000 + round * 1000).toISOString().replace(/\.\d+Z/, 'Z');
  return {
    created: true,
    ready: round % 2 === 0,
    printableStatus: round % 2 === 0 ? 'Running' : 'Starting',
    observedGeneration: round + 1,
    desiredGeneration: round + 1,
    conditions: [
      { type: 'Ready', status: round % 2 === 0 ? 'True' : 'False', lastProbeTime: null, lastTransitionTime: at },
      { type: 'LiveMigratable', status: 'True', lastProbeTime: null, lastTransitionTime: at },
      { type: 'AgentConnected', status: 'True', lastProbeTime: at, lastTransitionTime: at },
    ],
    volumeSnapshotStatuses: ['root', 'data', 'cloudinit'].map((name) => ({ name, enabled: name !== 'cloudinit' })),
  };
}
