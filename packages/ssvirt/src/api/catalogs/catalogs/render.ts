import type { Static } from 'typebox';
import type { Catalog, CatalogHead } from '../../../db/catalogs/catalogs.ts';
import { urnOf } from '../../urn.ts';
import type { CatalogBody } from './schemas.ts';
import type { CatalogSource } from './source.ts';

export function catalogBody(row: Catalog, source: CatalogSource): Static<typeof CatalogBody> {
  return {
    id: urnOf('catalog', row.id),
    name: row.name,
    description: row.description,
    org: { name: row.organization_name, id: urnOf('org', row.organization_id) },
    owner: ownerOf(row),
    isPublished: row.published,
    isSubscribed: false,
    isLocal: true,
    includesTemplates: row.includes_templates,
    creationDate: row.created_at.toISOString(),
    numberOfVAppTemplates: row.item_count + (row.includes_templates ? source.entries().length : 0),
    numberOfMedia: 0,
    catalogStorageProfiles: [],
    publishConfig: { isPublished: row.published },
    subscriptionConfig: { isSubscribed: false },
    distributedCatalogConfig: {},
    version: row.version,
  };
}

export function ownerOf({ owner_id, owner_name }: CatalogHead): { name: string; id: string } {
  return { name: owner_name ?? '', id: owner_id === null ? '' : urnOf('user', owner_id) };
}
