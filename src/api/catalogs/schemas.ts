/** The shapes of catalogs at the edge; the descriptions are the explorer page. */
import { Type } from 'typebox';
import { EntityRef, Timestamp, UrnSchema } from '../http/schemas.ts';
import { shapes } from '../http/texts.ts';

/** Of catalogs and their items. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: shapes.name.pattern,
  description: 'Without control characters, and without a space at either end',
});

export const Description = Type.String({
  maxLength: 1024,
  pattern: shapes.anything.pattern,
  description: 'For people',
});

const isPublished = Type.Boolean({
  description:
    'All organizations see it. Needs an organization that may publish (canPublish), or a system administrator',
});

const includesTemplates = Type.Boolean({
  description: 'Templates and boot images of the clusters are shown among its items. True unless said',
});

export const NewCatalog = Type.Object(
  {
    name: Name,
    orgId: Type.Optional(UrnSchema('org', 'The organization; your own unless said')),
    description: Type.Optional(Description),
    isPublished: Type.Optional(isPublished),
    includesTemplates: Type.Optional(includesTemplates),
  },
  {
    additionalProperties: false,
    description: 'A catalog to be made; its name is unique in the organization, whatever its case',
  },
);

export const CatalogChange = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    isPublished: Type.Optional(isPublished),
    includesTemplates: Type.Optional(includesTemplates),
  },
  { additionalProperties: false, description: 'What is to change; what is left out stays' },
);

export const CatalogBody = Type.Object({
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
    description: 'Its own items and, where it includes them, what the clusters offer',
  }),
  numberOfMedia: Type.Integer(),
  catalogStorageProfiles: Type.Array(Type.Object({})),
  publishConfig: Type.Object({ isPublished: Type.Boolean() }),
  subscriptionConfig: Type.Object({ isSubscribed: Type.Boolean() }),
  distributedCatalogConfig: Type.Object({}),
  version: Type.Integer({ description: 'Raised with every change of it or of its own items' }),
});
