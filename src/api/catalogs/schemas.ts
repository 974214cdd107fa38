/** The shapes of catalogs at the edge; the descriptions are the explorer page. */
import { Type } from 'typebox';
import { EntityRef, Timestamp, UrnSchema } from '../http/schemas.ts';

/** What no name has; half a character (a lone surrogate) can be stored nowhere. */
const controls = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff\\ud800-\\udfff';

/** Of catalogs and their items. Without look-arounds, which not every reader of the document understands. */
export const Name = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: `^[^\\s${controls}]([^${controls}]*[^\\s${controls}])?$`,
  description: 'Without control characters, and without a space at either end',
});

/** Several lines, of anything that can be stored. */
export const prose = '^[^\\u0000\\ud800-\\udfff]*$';

export const Description = Type.String({ maxLength: 1024, pattern: prose, description: 'For people' });

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
