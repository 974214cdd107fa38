/** A definition for hosts without KubeVirt's: the same kind with a shallow schema, in a group of our own. */
import type { KubeObject } from '../../packages/sandbox/src/values/json.ts';

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export const ownDefinition: KubeObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'virtualmachines.bench.example.org' },
  spec: {
    group: 'bench.example.org',
    names: {
      kind: 'VirtualMachine',
      listKind: 'VirtualMachineList',
      plural: 'virtualmachines',
      singular: 'virtualmachine',
    },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [{ name: 'Status', type: 'string', jsonPath: '.status.printableStatus' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            required: ['spec'],
            properties: {
              spec: {
                type: 'object',
                properties: {
                  runStrategy: { type: 'string', enum: ['Always', 'Halted', 'Manual', 'RerunOnFailure'] },
                  dataVolumeTemplates: { type: 'array', items: open },
                  template: { type: 'object', properties: { metadata: open, spec: open } },
                },
              },
              status: open,
            },
          },
        },
      },
    ],
  },
};
