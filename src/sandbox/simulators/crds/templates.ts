/** VirtualMachineTemplate: KubeVirt's own templates, and requests to make one from a machine. */
import { standardConditions } from './conditions.ts';
import { AGE, column, define, type CustomResourceDefinition, type Outline } from './definition.ts';
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
    value: text('Its value, where nobody gives another.'),
    generate: word('How a value is made up where there is none.', ['expression']),
    from: text('The pattern of a value that is made up, such as [a-z0-9]{8}.', {
      pattern: '\\[([a-zA-Z0-9\\-\\\\]+)\\](\\{(\\w+)\\})',
    }),
    required: flag('It must have a value in the end.'),
  },
  { required: ['name'] },
);

export const virtualMachineTemplate: CustomResourceDefinition = define({
  ...shared,
  kind: 'VirtualMachineTemplate',
  plural: 'virtualmachinetemplates',
  shortNames: ['vmt', 'vmts'],
  columns: [AGE, READY],
  description: 'A machine with parameters. Its subresources process and create make machines of it.',
  spec: fields(
    'The template.',
    {
      virtualMachine: open(
        'The VirtualMachine. ${NAME} is replaced by a value, ${{NAME}} by a value that is not text.',
      ),
      parameters: list('The parameters.', parameter),
      message: text('What the user is told in the end.'),
    },
    { required: ['virtualMachine'] },
  ),
  status: open('Whether it can be used: the condition Ready.', { conditions: standardConditions() }),
});

export const virtualMachineTemplateRequest: CustomResourceDefinition = define({
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
  description: 'Makes a VirtualMachineTemplate from a machine.',
  spec: fields(
    'What is asked for. It cannot be changed.',
    {
      templateName: text('The name of the template; that of the request where nothing is said.'),
      virtualMachineRef: fields(
        'The machine.',
        { name: text('Its name.'), namespace: text('Its namespace.') },
        { required: ['name', 'namespace'] },
      ),
    },
    {
      required: ['virtualMachineRef'],
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'spec is immutable' }],
    },
  ),
  status: open('How far it is.', {
    conditions: standardConditions(),
    templateRef: fields(
      'The template.',
      { name: text('Its name.', { default: '' }) },
      { 'x-kubernetes-map-type': 'atomic' },
    ),
  }),
});
