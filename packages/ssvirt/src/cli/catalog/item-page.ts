/** One page about an item of a catalog: `ssvirt catalog item get`. */
import type { Schemas } from '@ssvirt/api-client/client';
import { sizeOf } from '../api/entity-kinds.ts';
import { factSection, page } from '../cluster/page.ts';
import { columns } from '../output/columns.ts';

type Item = Schemas['CatalogItem'];

export function itemPage(item: Item): string {
  const { parameters } = item;
  return page([
    factSection(`Catalog item ${item.catalog.name}/${item.name}`, [
      ['status', item.statusMessage === '' ? item.status : `${item.status}: ${item.statusMessage}`],
      ['kind', item.source.kind],
      ['VMs', String(item.entity.numberOfVMs)],
      ['size', sizeOf(item)],
      ['guest', item.guestOs],
      ['deprecated', item.isDeprecated ? 'yes' : undefined],
      ['description', item.description === '' ? undefined : item.description],
      ['id', item.id],
    ]),
    parameters.length === 0
      ? ['Parameters: none']
      : ['Parameters', ...columns([['NAME', 'REQUIRED', 'DEFAULT', 'DESCRIPTION'], ...parameters.map(parameterRow)])],
  ]);
}

function parameterRow(one: Item['parameters'][number]): readonly string[] {
  const { name, required, hasDefault, generatedFrom, description, displayName } = one;
  const generated = generatedFrom === undefined ? undefined : 'generated';
  return [
    name,
    required && !hasDefault && generated === undefined ? 'yes' : 'no',
    one.default ?? generated ?? (hasDefault ? 'hidden' : '-'),
    (description === '' ? displayName : description) || '-',
  ];
}
