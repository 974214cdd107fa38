/** Catalog items of both origins in one shape. */
import { defined } from '@ssvirt/base/values/defined';
import type { Static } from 'typebox';
import type { CatalogHead } from '../../../db/catalogs/catalogs.ts';
import type { CatalogItem } from '../../../db/catalogs/catalog-items.ts';
import type { CatalogItemId } from '../../../db/schema/schema.ts';
import type { CatalogEntry, OfferedEntry } from '../../../kubevirt/catalog/entry.ts';
import { parametersOf } from '../../../kubevirt/catalog/parameters.ts';
import { ownerOf } from '../catalogs/render.ts';
import { systemOrganization } from '../../caller.ts';
import { urnOf } from '../../urn.ts';
import type { DefinitionInput } from './definition-schema.ts';
import type { ItemBody } from './schemas.ts';

type Body = Static<typeof ItemBody>;

export type StoredItem = Pick<CatalogItem, 'id' | 'name' | 'description' | 'created_at' | 'definition'>;

const MIB = 2 ** 20;
const GIB = 2 ** 30;
const ENTITY = 'application/vnd.vmware.vcloud.vAppTemplate+xml';

export function offeredBody(catalog: CatalogHead, id: CatalogItemId, { entry, offers }: OfferedEntry): Body {
  const available = offers.some((offer) => offer.available);
  const { kind, namespace, name, guestOs, instancetype, preference } = entry;
  return {
    ...common(catalog, id, entry),
    displayName: entry.displayName,
    owner: { name: 'System', id: urnOf('org', systemOrganization) },
    isDeprecated: entry.deprecated,
    ...defined({ creationDate: entry.createdAt, size: entry.storageBytes }),
    status: available ? 'AVAILABLE' : 'UNAVAILABLE',
    statusMessage: available ? '' : (offers.find(({ message }) => message !== '')?.message ?? 'No cluster offers it.'),
    source: { kind, namespace, name },
    offers: offers.map((offer) => ({ ...offer })),
    entity: entityOf(entry.displayName, entry),
    ...defined({ guestOs, instancetype, preference }),
    parameters: entry.parameters.map((parameter) => ({ ...parameter })),
  };
}

export function storedBody(catalog: CatalogHead, item: StoredItem): Body {
  // It was validated when it was written.
  const definition = item.definition as DefinitionInput;
  const { cpus, memoryMb, diskSizeGb, guestOs, instancetype, preference, parameters = [] } = definition;
  const sizes = defined({
    cpuCount: cpus,
    memoryBytes: memoryMb === undefined ? undefined : memoryMb * MIB,
    storageBytes: diskSizeGb === undefined ? undefined : diskSizeGb * GIB,
  });
  return {
    ...common(catalog, item.id, item),
    displayName: item.name,
    owner: ownerOf(catalog),
    isDeprecated: false,
    creationDate: item.created_at.toISOString(),
    ...defined({ size: sizes.storageBytes }),
    status: 'AVAILABLE',
    statusMessage: '',
    source: { kind: 'database' },
    offers: [],
    entity: entityOf(item.name, { description: item.description, vmCount: 1, ...sizes }),
    ...defined({ guestOs, instancetype, preference }),
    parameters: shownParameters(parameters),
    definition,
  };
}

function common(
  catalog: CatalogHead,
  id: CatalogItemId,
  { name, description }: { readonly name: string; readonly description: string },
): Pick<Body, 'id' | 'name' | 'description' | 'catalogId' | 'catalog' | 'isPublished' | 'isExpired'> {
  const catalogId = urnOf('catalog', catalog.id);
  return {
    id: urnOf('catalogitem', id),
    name,
    description,
    catalogId,
    catalog: { name: catalog.name, id: catalogId },
    isPublished: catalog.published,
    isExpired: false,
  };
}

type Sizes = Pick<CatalogEntry, 'description' | 'vmCount' | 'cpuCount' | 'memoryBytes' | 'storageBytes'>;

function entityOf(name: string, { description, vmCount, cpuCount, memoryBytes, storageBytes }: Sizes): Body['entity'] {
  return {
    name,
    description,
    type: ENTITY,
    numberOfVMs: vmCount,
    ...defined({ numberOfCpus: cpuCount, memoryAllocation: memoryBytes, storageAllocation: storageBytes }),
  };
}

/** By the same rules as parameters of templates, so that neither shows a secret. */
function shownParameters(parameters: NonNullable<DefinitionInput['parameters']>): Body['parameters'] {
  return parametersOf(asTemplateParameters(parameters)).shown.map((parameter) => ({ ...parameter }));
}

export function asTemplateParameters(parameters: NonNullable<DefinitionInput['parameters']>): readonly object[] {
  return parameters.map(({ default: value, generatedFrom, ...rest }) => ({
    ...rest,
    value,
    ...(generatedFrom === undefined ? {} : { generate: 'expression', from: generatedFrom }),
  }));
}
