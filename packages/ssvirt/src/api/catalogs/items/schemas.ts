/** The schemas of catalog items. The explorer page shows the descriptions. */
import { Type } from 'typebox';
import { Description, Name } from '../catalogs/schemas.ts';
import { named, EntityRef, PageOf, Timestamp } from '../../http/schemas.ts';
import { Definition } from './definition-schema.ts';

export const NewItem = named(
  'NewCatalogItem',
  Type.Object(
    { name: Name, description: Type.Optional(Description), definition: Definition },
    {
      additionalProperties: false,
      description: 'A new catalog item; its name is unique in the catalog, ignoring case',
    },
  ),
);

export const ItemChange = named(
  'CatalogItemChange',
  Type.Object(
    { name: Type.Optional(Name), description: Type.Optional(Description), definition: Type.Optional(Definition) },
    {
      additionalProperties: false,
      description: 'The fields to change; absent fields stay. A definition is replaced as a unit',
    },
  ),
);

const Parameter = Type.Object({
  name: Type.String(),
  displayName: Type.String(),
  description: Type.String(),
  default: Type.Optional(Type.String({ description: 'Absent if there is no default, or if it is a secret' })),
  hasDefault: Type.Boolean({ description: 'The parameter has a default, whether or not it is shown' }),
  required: Type.Boolean(),
  generatedFrom: Type.Optional(Type.String({ description: 'The expression that a missing value is generated from' })),
});

const Offer = Type.Object({ cluster: Type.String(), available: Type.Boolean(), message: Type.String() });

const bytes = (description: string) =>
  Type.Optional(Type.Integer({ description: `${description} in bytes; absent if unknown` }));

export const ItemBody = named(
  'CatalogItem',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    displayName: Type.String(),
    description: Type.String(),
    catalogId: Type.String(),
    catalog: EntityRef,
    owner: EntityRef,
    isPublished: Type.Boolean(),
    isExpired: Type.Boolean(),
    isDeprecated: Type.Boolean({ description: 'Its publisher has deprecated it' }),
    creationDate: Type.Optional(Timestamp),
    size: bytes('The size of its disks'),
    status: Type.Enum(['AVAILABLE', 'UNAVAILABLE']),
    statusMessage: Type.String({ description: 'Why it cannot be used now; empty if it can' }),
    source: Type.Object(
      {
        kind: Type.Enum(['Template', 'VirtualMachineTemplate', 'DataSource', 'database']),
        namespace: Type.Optional(Type.String()),
        name: Type.Optional(Type.String()),
      },
      {
        description: 'The cluster object that it represents; database for an item of the catalog itself',
      },
    ),
    offers: Type.Array(Offer, { description: 'The clusters that offer it; empty for an item of the catalog itself' }),
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
  }),
);

export const ItemPage = named(
  'CatalogItemPage',
  Type.Object({
    ...PageOf(ItemBody).properties,
    unavailable: Type.Array(Type.Object({ cluster: Type.String(), message: Type.String() }), {
      description: 'Clusters whose templates and images are unknown or may be out of date',
    }),
  }),
);
