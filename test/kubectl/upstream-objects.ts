/** Objects of KubeVirt and CDI for the suite on their CRDs: good ones, and what makes them bad. */
import type { Json, JsonObject } from '../../packages/sandbox/src/values/json.ts';

export const machine: JsonObject = {
  apiVersion: 'kubevirt.io/v1',
  kind: 'VirtualMachine',
  metadata: { name: 'good', labels: { app: 'shop' } },
  spec: {
    runStrategy: 'Always',
    dataVolumeTemplates: [
      {
        metadata: { name: 'good-root' },
        spec: {
          source: { http: { url: 'https://images.example.com/a.qcow2' } },
          storage: { resources: { requests: { storage: '10Gi' } } },
        },
      },
    ],
    template: {
      metadata: { labels: { app: 'shop' } },
      spec: {
        domain: {
          cpu: { cores: 2 },
          memory: { guest: '2Gi' },
          devices: {
            disks: [
              { name: 'root', disk: { bus: 'virtio' }, bootOrder: 1 },
              { name: 'init', disk: { bus: 'virtio' } },
            ],
            interfaces: [{ name: 'default', masquerade: {} }],
          },
          resources: { requests: { memory: '2Gi' } },
        },
        networks: [{ name: 'default', pod: {} }],
        tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
        volumes: [
          { name: 'root', dataVolume: { name: 'good-root' } },
          { name: 'init', cloudInitNoCloud: { userData: '#cloud-config\n' } },
        ],
      },
    },
  },
};

export const dataVolume: JsonObject = {
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'DataVolume',
  metadata: { name: 'good' },
  spec: { source: { blank: {} }, storage: { resources: { requests: { storage: '1Gi' } } } },
};

export const instancetype: JsonObject = {
  apiVersion: 'instancetype.kubevirt.io/v1beta1',
  kind: 'VirtualMachineInstancetype',
  metadata: { name: 'good' },
  spec: { cpu: { guest: 2 }, memory: { guest: '4Gi' } },
};

export const snapshot: JsonObject = {
  apiVersion: 'snapshot.kubevirt.io/v1beta1',
  kind: 'VirtualMachineSnapshot',
  metadata: { name: 'good' },
  spec: { source: { apiGroup: 'kubevirt.io', kind: 'VirtualMachine', name: 'good' } },
};

export const storageProfile: JsonObject = {
  apiVersion: 'cdi.kubevirt.io/v1beta1',
  kind: 'StorageProfile',
  metadata: { name: 'good' },
  spec: { claimPropertySets: [{ accessModes: ['ReadWriteOnce'], volumeMode: 'Block' }] },
};

/** The object with the value at a path of keys and indexes changed, or removed where there is no value. */
export function changed(object: JsonObject, path: string, value?: Json): JsonObject {
  const copy = structuredClone(object);
  const keys = path.split('.');
  const last = keys.pop() as string;
  let at: Json | undefined = copy;
  for (const key of keys) at = (at as { [key: string]: Json })[key];
  const parent = at as { [key: string]: Json };
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}
