/** What a catalog's own item creates a VM from. It needs no template: it works on plain Kubernetes with KubeVirt. */
import { Type, type Static } from 'typebox';
import { shapes } from '../../http/texts.ts';

const objectName = Type.String({ maxLength: 253, pattern: shapes.objectName.pattern });

const Line = Type.String({ maxLength: 256, pattern: shapes.line.pattern });

export const largest = {
  cpus: 512,
  memoryMb: 16 * 2 ** 20,
  diskSizeGb: 65_536,
  parameters: 50,
  cloudInit: 16 * 1024,
} as const;

const Parameter = Type.Object(
  {
    name: Type.String({ pattern: shapes.parameterName.pattern, description: 'Letters, digits and _' }),
    displayName: Type.Optional(Line),
    description: Type.Optional(Type.String({ maxLength: 1024, pattern: shapes.anything.pattern })),
    default: Type.Optional(
      Type.String({
        maxLength: 1024,
        pattern: shapes.anything.pattern,
        description: 'The value to use when none is given; must not be a secret',
      }),
    ),
    required: Type.Optional(Type.Boolean()),
    generatedFrom: Type.Optional(
      Type.String({
        maxLength: 256,
        pattern: shapes.ascii.pattern,
        description: 'The expression that a missing value is generated from, in the syntax of OpenShift templates',
        examples: ['web-[a-z0-9]{5}'],
      }),
    ),
  },
  { additionalProperties: false },
);

export const Definition = Type.Object(
  {
    image: Type.Optional(
      Type.String({
        maxLength: 512,
        description: 'A container disk, without a scheme',
        examples: ['containerdisks/fedora:42'],
      }),
    ),
    dataSource: Type.Optional(
      Type.Object(
        { namespace: objectName, name: objectName },
        { additionalProperties: false, description: 'A boot image that a cluster offers' },
      ),
    ),
    url: Type.Optional(
      Type.String({
        maxLength: 1024,
        pattern: shapes.url.pattern,
        description: 'An image that is downloaded over HTTP; requires diskSizeGb; must not contain credentials',
      }),
    ),
    instancetype: Type.Optional({
      ...objectName,
      description: 'An instance type of the cluster, instead of cpus and memoryMb',
    }),
    preference: Type.Optional({ ...objectName, description: 'A preference of the cluster' }),
    cpus: Type.Optional(Type.Integer({ minimum: 1, maximum: largest.cpus })),
    memoryMb: Type.Optional(
      Type.Integer({ minimum: 64, maximum: largest.memoryMb, description: 'In MiB (1024 × 1024 bytes)' }),
    ),
    diskSizeGb: Type.Optional(
      Type.Integer({ minimum: 1, maximum: largest.diskSizeGb, description: 'In GiB (1024 × 1024 × 1024 bytes)' }),
    ),
    guestOs: Type.Optional(Line),
    cloudInit: Type.Optional(
      Type.Object(
        {
          userData: Type.Optional(Type.String({ maxLength: largest.cloudInit, pattern: shapes.anything.pattern })),
          networkData: Type.Optional(Type.String({ maxLength: largest.cloudInit, pattern: shapes.anything.pattern })),
        },
        {
          additionalProperties: false,
          description:
            'The default for the guest when the request gives none. Refer to parameter values as ${NAME}. Pass secrets only as parameters: everyone who sees the catalog can read the rest',
        },
      ),
    ),
    parameters: Type.Optional(Type.Array(Parameter, { maxItems: largest.parameters })),
  },
  {
    additionalProperties: false,
    description:
      'What a VM is created from: exactly one of image, dataSource and url; and either an instance type, or cpus and memoryMb',
  },
);

export type DefinitionInput = Static<typeof Definition>;
