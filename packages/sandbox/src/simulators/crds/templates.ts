/** VirtualMachineTemplate: KubeVirt's own templates, and requests to create one from a VM. */
import { standardConditions } from './conditions.ts';
import { AGE, column, define, type InstalledDefinition, type Outline } from './definition.ts';
import { fields, flag, list, open, text, word } from './schema.ts';

const shared = {
  group: 'template.kubevirt.io',
  versions: ['v1beta1', 'v1alpha1'],
  hasStatus: true,
} satisfies Partial<Outline>;

const READY = column('Ready', 'string', '.status.conditions[?(@.type=="Ready")].status');

const parameter = fields(
  'One parameter.',
  {
    name: text('Its name: ${NAME} stands for its value.'),
    displayName: text('Its name, for people.'),
    description: text('What it is for.'),
    value: text('The default value.'),
    generate: word('The generator of a value if none is set.', ['expression']),
    from: text('The pattern of a generated value, such as [a-z0-9]{8}.', {
      pattern: '\\[([a-zA-Z0-9\\-\\\\]+)\\](\\{(\\w+)\\})',
    }),
    required: flag('It must have a value when the template is processed.'),
  },
  { required: ['name'] },
);

export const virtualMachineTemplate: InstalledDefinition = define({
  ...shared,
  kind: 'VirtualMachineTemplate',
  plural: 'virtualmachinetemplates',
  shortNames: ['vmt', 'vmts'],
  columns: [AGE, READY],
  description: 'A VM with parameters. Its subresources process and create turn it into VMs.',
  spec: fields(
    'The template.',
    {
      virtualMachine: open(
        'The VirtualMachine. ${NAME} is replaced by a value, ${{NAME}} by a value that is not text.',
      ),
      parameters: list('The parameters.', parameter),
      message: text('A message for the user after processing.'),
    },
    { required: ['virtualMachine'] },
  ),
  status: open('Whether it can be used: the condition Ready.', { conditions: standardConditions() }),
});

export const virtualMachineTemplateRequest: InstalledDefinition = define({
  ...shared,
  kind: 'VirtualMachineTemplateRequest',
  plural: 'virtualmachinetemplaterequests',
  shortNames: ['vmtr', 'vmtrs'],
  columns: [
    column('Template', 'string', '.status.templateRef.name'),
    AGE,
    READY,
    column('Progressing', 'string', '.status.conditions[?(@.type=="Progressing")].status'),
  ],
  description: 'Creates a VirtualMachineTemplate from a VM.',
  spec: fields(
    'The request. It cannot be changed.',
    {
      templateName: text('The name of the template. Default: the name of the request.'),
      virtualMachineRef: fields(
        'The VM.',
        { name: text('Its name.'), namespace: text('Its namespace.') },
        { required: ['name', 'namespace'] },
      ),
    },
    {
      required: ['virtualMachineRef'],
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'spec is immutable' }],
    },
  ),
  status: open('The progress.', {
    conditions: standardConditions(),
    templateRef: fields(
      'The template.',
      { name: text('Its name.', { default: '' }) },
      { 'x-kubernetes-map-type': 'atomic' },
    ),
  }),
});
