/** The templates that VMs are created from. */
import type { Unstructured } from '../../../../packages/kube/src/object.ts';
import type { MachineTemplate } from '../../../../packages/sandbox/src/simulators/templates/machine-templates/kinds.ts';

/** The namespace where the API server looks for templates. */
export const offers = 'openshift';

/** OpenShift's: a VM, and another object. */
export const pair = {
  apiVersion: 'template.openshift.io/v1',
  kind: 'Template',
  metadata: { name: 'with-words', namespace: offers },
  objects: [
    {
      apiVersion: 'kubevirt.io/v1',
      kind: 'VirtualMachine',
      metadata: { name: '${NAME}' },
      spec: {
        runStrategy: 'Halted',
        template: { spec: { domain: { cpu: { cores: 1 }, devices: {}, memory: { guest: '128Mi' } } } },
      },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: '${NAME}' }, data: { word: '${WORD}' } },
  ],
  parameters: [{ name: 'NAME', required: true }, { name: 'WORD' }],
} satisfies Unstructured;

/** KubeVirt's: one VM. */
export const machineTemplate = {
  metadata: { namespace: offers, name: 'of-some-memory' },
  spec: {
    virtualMachine: {
      metadata: { name: '${NAME}' },
      spec: {
        runStrategy: 'Always',
        template: { spec: { domain: { cpu: { cores: 1 }, devices: {}, memory: { guest: '${MEMORY}' } } } },
      },
    },
    parameters: [
      { name: 'NAME', required: true },
      { name: 'MEMORY', value: '1Gi' },
    ],
  },
} satisfies MachineTemplate;
