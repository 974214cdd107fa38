/** The shapes of catalog items at the edge; the descriptions are the explorer page. */
import { Type } from 'typebox';
import { Description, Name } from '../catalogs/schemas.ts';
import { EntityRef, PageOf, Timestamp } from '../http/schemas.ts';
import { Definition } from './definition-schema.ts';

export const NewItem = Type.Object(
  { name: Name, description: Type.Optional(Description), definition: Definition },
  {
    additionalProperties: false,
    description: 'An item to be made; its name is unique in the catalog, whatever its case',
  },
);

export const ItemChange = Type.Object(
  { name: Type.Optional(Name), description: Type.Optional(Description), definition: Type.Optional(Definition) },
  {
    additionalProperties: false,
    description: 'What is to change; what is left out stays. A definition is replaced as a whole',
  },
);

const Parameter = Type.Object({
  name: Type.String(),
  displayName: Type.String(),
  description: Type.String(),
  default: Type.Optional(Type.String({ description: 'Left out where there is none, or where it is a secret' })),
  hasDefault: Type.Boolean({ description: 'A value is there though none is given, be it shown or not' }),
  required: Type.Boolean(),
  generatedFrom: Type.Optional(
    Type.String({ description: 'The expression that a value is made up by where none is given' }),
  ),
});

const Offer = Type.Object({ cluster: Type.String(), available: Type.Boolean(), message: Type.String() });

const bytes = (description: string) =>
  Type.Optional(Type.Integer({ description: `${description} in bytes; left out where it is not known` }));

export const ItemBody = Type.Object({
  id: Type.String(),
  name: Type.String(),
  displayName: Type.String(),
  description: Type.String(),
  catalogId: Type.String(),
  catalog: EntityRef,
  owner: EntityRef,
  isPublished: Type.Boolean(),
  isExpired: Type.Boolean(),
  isDeprecated: Type.Boolean({ description: 'Its publisher advises against it' }),
  creationDate: Type.Optional(Timestamp),
  size: bytes('Of its disks'),
  status: Type.Enum(['AVAILABLE', 'UNAVAILABLE']),
  statusMessage: Type.String({ description: 'Why it cannot be used now; empty where it can' }),
  source: Type.Object(
    {
      kind: Type.Enum(['Template', 'VirtualMachineTemplate', 'DataSource', 'database']),
      namespace: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
    },
    {
      description: 'The object of the clusters that it stands for; database where it is an item of the catalog itself',
    },
  ),
  offers: Type.Array(Offer, { description: 'The clusters that have it; empty for an item of the catalog itself' }),
  entity: Type.Object({
    name: Type.String(),
    description: Type.String(),
    type: Type.String(),
    numberOfVMs: Type.Integer(),
    numberOfCpus: Type.Optional(Type.Integer()),
    memoryAllocation: bytes('Memory'),
    storageAllocation: bytes('Disks'),
  }),
  guestOs: Type.Optional(Type.String()),
  instancetype: Type.Optional(Type.String()),
  preference: Type.Optional(Type.String()),
  parameters: Type.Array(Parameter),
  definition: Type.Optional(Definition),
});

export const ItemPage = Type.Object({
  ...PageOf(ItemBody).properties,
  unavailable: Type.Array(Type.Object({ cluster: Type.String(), message: Type.String() }), {
    description: 'Clusters whose templates and images are not known, or may be old',
  }),
});
