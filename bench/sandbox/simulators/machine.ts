/** The VM that is started, as small as users make them: a container disk, one interface, always on. */
import type { JsonObject } from '../../../packages/sandbox/src/values/json.ts';

export const namespace = 'bench';

export const machinesPath = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachines`;
export const instancesPath = `/apis/kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances`;

export const machineName = (index: number): string => `vm-${String(index).padStart(6, '0')}`;

export function machine(index: number): JsonObject {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name: machineName(index), labels: { 'app.kubernetes.io/name': 'bench' } },
    spec: {
      runStrategy: 'Always',
      template: {
        metadata: { labels: { 'app.kubernetes.io/name': 'bench' } },
        spec: {
          domain: {
            cpu: { cores: 1 },
            memory: { guest: '512Mi' },
            devices: {
              disks: [{ name: 'root', disk: { bus: 'virtio' } }],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [{ name: 'root', containerDisk: { image: 'quay.io/containerdisks/fedora:latest' } }],
        },
      },
    },
  };
}

export const powerPath = (index: number, action: 'pause' | 'unpause'): string =>
  `/apis/subresources.kubevirt.io/v1/namespaces/${namespace}/virtualmachineinstances/${machineName(index)}/${action}`;
