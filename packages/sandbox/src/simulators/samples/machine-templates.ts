/** KubeVirt's own templates: a VM with parameters, created by the subresource `create`. */
import type { Unstructured } from '@ssvirt/kube/object';
import { place, type Placed } from '../place-objects.ts';
import { BOOT_SOURCES } from './boot-sources.ts';
import { virtualMachineTemplates } from './kinds.ts';
import { systemNamed, type System } from './systems.ts';

/** The size is a parameter; everything else comes from the boot source. */
export function machineTemplate({ name, displayName, preference }: System, namespace: string): Unstructured {
  return {
    apiVersion: 'template.kubevirt.io/v1beta1',
    kind: 'VirtualMachineTemplate',
    metadata: { name, namespace, annotations: { description: `A virtual machine with ${displayName}.` } },
    spec: {
      message: 'The machine ${NAME} is on its way: kubectl get vm ${NAME} --watch',
      parameters: [
        { name: 'NAME', displayName: 'Name', generate: 'expression', from: `${name}-[a-z0-9]{5}`, required: true },
        {
          name: 'INSTANCETYPE',
          displayName: 'Size',
          description: 'An instance type: u1.small, u1.medium …',
          value: 'u1.small',
        },
        { name: 'DISK_SIZE', displayName: 'Size of the disk', value: '20Gi' },
      ],
      virtualMachine: {
        apiVersion: 'kubevirt.io/v1',
        kind: 'VirtualMachine',
        metadata: { name: '${NAME}', labels: { app: '${NAME}' } },
        spec: {
          runStrategy: 'Always',
          instancetype: { name: '${INSTANCETYPE}' },
          preference: { name: preference },
          dataVolumeTemplates: [
            {
              metadata: { name: '${NAME}-root' },
              spec: {
                sourceRef: { kind: 'DataSource', name, namespace: BOOT_SOURCES },
                storage: { resources: { requests: { storage: '${DISK_SIZE}' } } },
              },
            },
          ],
          template: {
            metadata: { labels: { 'kubevirt.io/vm': '${NAME}' } },
            spec: {
              domain: { devices: { interfaces: [{ name: 'default', masquerade: {} }] } },
              networks: [{ name: 'default', pod: {} }],
              volumes: [{ name: 'rootdisk', dataVolume: { name: '${NAME}-root' } }],
            },
          },
        },
      },
    },
  };
}

export const machineTemplates = (namespace: string): readonly Placed[] =>
  place(
    virtualMachineTemplates,
    ['fedora', 'ubuntu', 'debian'].map((name) => machineTemplate(systemNamed(name), namespace)),
  );
