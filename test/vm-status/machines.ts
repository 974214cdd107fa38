/** VirtualMachines for tests, and actions on them. */
import { defined } from '@ssvirt/base/values/defined';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { FAULT_ANNOTATION, type DialFault } from '../../packages/sandbox/src/simulators/dials.ts';
import * as kinds from '../../packages/sandbox/src/simulators/kubevirt/objects.ts';
import { VAPP_LABEL } from '../../packages/ssvirt/src/kubevirt/facts/vm.ts';

export const quotas: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ResourceQuota',
  plural: 'resourcequotas',
  namespaced: true,
};

export interface Wish {
  readonly namespace: string;
  readonly name?: string;
  readonly vappId?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly on?: boolean;
  readonly fault?: DialFault;
  /** Has a disk that is imported. */
  readonly disk?: true;
  /** Has a volume of that claim. */
  readonly claim?: string;
  readonly finalizers?: readonly string[];
}

export function machine(wish: Wish): kinds.VirtualMachine {
  const { namespace, name = 'web', vappId, on = true, fault, disk, claim, finalizers } = wish;
  const volumes: readonly kinds.Volume[] = [
    { name: 'root', containerDisk: { image: 'fedora:demo' } },
    ...(disk === true ? [{ name: 'disk', dataVolume: { name: `${name}-disk` } }] : []),
    ...(claim === undefined ? [] : [{ name: 'data', persistentVolumeClaim: { claimName: claim } }]),
  ];
  const dataVolume = {
    metadata: { name: `${name}-disk` },
    spec: {
      source: { http: { url: 'https://images.example.com/fedora.qcow2' } },
      storage: { resources: { requests: { storage: '1Gi' } } },
    },
  };
  return {
    metadata: {
      namespace,
      name,
      labels: { ...wish.labels, ...defined({ [VAPP_LABEL]: vappId }) },
      annotations: fault === undefined ? {} : { [FAULT_ANNOTATION]: fault },
      ...(finalizers === undefined ? {} : { finalizers: [...finalizers] }),
    },
    spec: {
      runStrategy: on ? 'Always' : 'Halted',
      ...(disk === true ? { dataVolumeTemplates: [dataVolume] } : {}),
      template: {
        spec: {
          domain: {
            cpu: { cores: 2 },
            devices: {
              disks: volumes.map((volume) => ({ name: volume.name, disk: { bus: 'virtio' } })),
              interfaces: [{ name: 'default', masquerade: {} }],
            },
            memory: { guest: '128Mi' },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes,
        },
      },
    },
  };
}

export function create(client: Client, wish: Wish): Promise<kinds.VirtualMachine> {
  return client.create(kinds.virtualMachines, machine(wish));
}

export function claimOf(namespace: string, name: string): kinds.PersistentVolumeClaim {
  return {
    metadata: { namespace, name },
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'local',
      resources: { requests: { storage: '1Gi' } },
    },
  };
}

export async function power(
  client: Client,
  namespace: string,
  verb: 'start' | 'stop' | 'pause',
  name = 'web',
): Promise<void> {
  const kind = verb === 'pause' ? 'virtualmachineinstances' : 'virtualmachines';
  const path = `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/${kind}/${name}/${verb}`;
  await client.request({ method: 'PUT', path, body: {} });
}

export async function mendFault(client: Client, namespace: string, name = 'web'): Promise<void> {
  const body = { metadata: { annotations: { [FAULT_ANNOTATION]: null } } };
  await client.patch(kinds.virtualMachines, { namespace, name }, { type: 'merge', body });
}

export async function label(
  client: Client,
  namespace: string,
  labels: Readonly<Record<string, string | null>>,
  name = 'web',
): Promise<void> {
  await client.patch(kinds.virtualMachines, { namespace, name }, { type: 'merge', body: { metadata: { labels } } });
}

export async function remove(client: Client, namespace: string, name = 'web'): Promise<void> {
  await client.delete(kinds.virtualMachines, { namespace, name });
}
