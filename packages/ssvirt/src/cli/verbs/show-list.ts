import type { ApiClient } from '../api/client.ts';
import type { Entity } from '../api/entities.ts';
import { allOf, literal } from '../api/fiql.ts';
import type { Kind } from '../api/kind.ts';
import { vapps, vdcs } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { listOf } from '../api/pages.ts';
import type { ExitCode } from '../output/exit-code.ts';
import { printList } from '../output/print.ts';
import type { Format } from '../output/view.ts';
import type { ListOptions } from './list-verb.ts';
import { watch } from './watch.ts';

export async function showList<T extends Entity>(
  client: ApiClient,
  kind: Kind<T>,
  options: ListOptions & { readonly format: Format },
): Promise<ExitCode | void> {
  const { format, sort, limit } = options;
  const filter = await filterOf(client, kind, options);
  if (options.watch === true) return watch(client, kind, { filter, sort, format });
  printList(kind.view, format, await listOf(client, kind.list, { filter, sort, limit }));
}

async function filterOf<T extends Entity>(
  client: ApiClient,
  kind: Kind<T>,
  { filter, name, status, vdc, vapp, owner, address, guestOs, cpus, memory }: ListOptions,
): Promise<string | undefined> {
  const inVdc = vdc === undefined ? undefined : (await resolved(client, vdcs, vdc, { by: '--org' })).id;
  const ofVdc = inVdc === undefined ? undefined : `vdc.id==${inVdc}`;
  const inVapp =
    vapp === undefined ? undefined : (await resolved(client, vapps, vapp, { filter: ofVdc, by: '--vdc' })).id;
  return allOf([
    filter,
    matching(kind.nameField ?? 'name', name),
    status === undefined ? undefined : `status==${literal(status)}`,
    ofVdc,
    inVapp === undefined ? undefined : `vapp.id==${inVapp}`,
    matching('owner.name', owner),
    address === undefined ? undefined : `ipAddresses==${literal(address)}`,
    matching('guestOs', guestOs),
    cpus === undefined ? undefined : `cpus==${cpus}`,
    memory === undefined ? undefined : `memoryMb==${memory}`,
  ]);
}

/** The star is a wildcard; everything else is literal. */
function matching(field: string, pattern: string | undefined): string | undefined {
  return pattern === undefined ? undefined : `${field}==${pattern.split('*').map(literal).join('*')}`;
}
