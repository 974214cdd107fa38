/** The schemas of catalogs. The explorer page shows the descriptions. */
import { Type } from 'typebox';
import { named, EntityRef, Timestamp, UrnSchema } from '../../http/schemas.ts';
import { shapes } from '../../http/texts.ts';

/** The name of a catalog or of a catalog item. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: shapes.name.pattern,
  description: 'No control characters, and no leading or trailing space',
});

export const Description = Type.String({
  maxLength: 1024,
  pattern: shapes.anything.pattern,
  description: 'Free text',
});

const isPublished = Type.Boolean({
  description:
    'All organizations can see it. Requires an organization that may publish (canPublish), or a system administrator',
});

const includesTemplates = Type.Boolean({
  description: 'The items include templates and boot images of the clusters. Default: true',
});

export const NewCatalog = named(
  'NewCatalog',
  Type.Object(
    {
      name: Name,
      orgId: Type.Optional(UrnSchema('org', 'The organization; default: your own')),
      description: Type.Optional(Description),
      isPublished: Type.Optional(isPublished),
      includesTemplates: Type.Optional(includesTemplates),
    },
    {
      additionalProperties: false,
      description: 'A new catalog; its name is unique in the organization, ignoring case',
    },
  ),
);

export const CatalogChange = named(
  'CatalogChange',
  Type.Object(
    {
      name: Type.Optional(Name),
      description: Type.Optional(Description),
      isPublished: Type.Optional(isPublished),
      includesTemplates: Type.Optional(includesTemplates),
    },
    { additionalProperties: false, description: 'The fields to change; absent fields stay' },
  ),
);

export const CatalogBody = named(
  'Catalog',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    description: Type.String(),
    org: EntityRef,
    owner: EntityRef,
    isPublished: Type.Boolean(),
    isSubscribed: Type.Boolean(),
    isLocal: Type.Boolean(),
    includesTemplates,
    creationDate: Timestamp,
    numberOfVAppTemplates: Type.Integer({
      description: 'The items of the catalog itself and, if it includes them, those that the clusters offer',
    }),
    numberOfMedia: Type.Integer(),
    catalogStorageProfiles: Type.Array(Type.Object({})),
    publishConfig: Type.Object({ isPublished: Type.Boolean() }),
    subscriptionConfig: Type.Object({ isSubscribed: Type.Boolean() }),
    distributedCatalogConfig: Type.Object({}),
    version: Type.Integer({ description: 'Increases with every change of the catalog or of its own items' }),
  }),
);
