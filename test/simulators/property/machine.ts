/** The VMs that histories create. */
import type { VirtualMachine } from '../../../packages/sandbox/src/simulators/kubevirt/objects.ts';

export const strategies = ['Always', 'Halted', 'Manual', 'RerunOnFailure', 'Once'] as const;
export type Strategy = (typeof strategies)[number];

export interface Wish {
  readonly strategy: Strategy;
  /** The storage class of an imported disk; none means that there is only a container disk. */
  readonly disk: 'none' | 'standard' | 'local';
  readonly instancetype: boolean;
}

export const diskOf = (name: string): string => `${name}-disk`;

export function machine(namespace: string, name: string, { strategy, disk, instancetype }: Wish): VirtualMachine {
  const own = disk !== 'none';
  return {
    metadata: { namespace, name },
    spec: {
      runStrategy: strategy,
      ...(instancetype && { instancetype: { kind: 'VirtualMachineClusterInstancetype', name: 'u1.nano' } }),
      ...(own && { dataVolumeTemplates: [template(name, disk)] }),
      template: {
        spec: {
          domain: {
            devices: {
              disks: [
                { name: 'root', disk: { bus: 'virtio' } },
                ...(own ? [{ name: 'data', disk: { bus: 'virtio' } }] : []),
              ],
              interfaces: [{ name: 'default', masquerade: {} }],
            },
            ...(instancetype ? {} : { memory: { guest: '256Mi' } }),
          },
          networks: [{ name: 'default', pod: {} }],
          volumes: [
            { name: 'root', containerDisk: { image: 'fedora:demo' } },
            ...(own ? [{ name: 'data', dataVolume: { name: diskOf(name) } }] : []),
          ],
        },
      },
    },
  };
}

function template(name: string, storageClassName: string): Record<string, never> {
  return {
    metadata: { name: diskOf(name) },
    spec: {
      source: { http: { url: 'https://images.example.com/fedora.qcow2' } },
      storage: { storageClassName, resources: { requests: { storage: '1Gi' } } },
    },
  } as unknown as Record<string, never>;
}
