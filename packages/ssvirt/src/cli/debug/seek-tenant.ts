/** Searches for a tenant's VM with the API, using the current session. */
import type { Schemas } from '@ssvirt/api-client/client';
import type { Command } from 'commander';
import { asking } from '../api/asking.ts';
import { allOf, literal } from '../api/fiql.ts';
import { urnIn } from '../api/kind.ts';
import { vdcs, vms } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { listOf } from '../api/pages.ts';
import { Refusal } from '../api/refusal.ts';
import { CliFailure } from '../output/failure.ts';
import type { OriginMatch, OriginSearch } from './place.ts';

/** The maximum number of candidates that is listed. */
const most = 20;

export async function seekTenant(command: Command, name: string): Promise<OriginSearch> {
  const place = 'vm';
  let at = 'the API of ssvirt';
  try {
    const found = await asking(command, async (client) => {
      at = client.connection.server.url;
      const urn = urnIn(vms, name);
      if (urn !== undefined) return [await vms.get(client.api, urn)];
      const { vdc } = command.opts<{ readonly vdc?: string }>();
      const inVdc = vdc === undefined ? undefined : `vdc.id==${(await resolved(client, vdcs, vdc)).id}`;
      return listOf(client, vms.list, {
        filter: allOf([`name==${literal(name)}`, inVdc]) ?? '',
        limit: most,
      });
    });
    return { place, at, found: found.map(candidate) };
  } catch (error) {
    // The API does not distinguish an absent object from one that belongs to others.
    if (error instanceof Refusal && (error.status === 403 || error.status === 404)) return { place, at, found: [] };
    if (!(error instanceof CliFailure)) throw error;
    return { place, at, found: [], unasked: error.message };
  }
}

function candidate({ id, name, vdc, vapp, standalone }: Schemas['Vm']): OriginMatch {
  const where = `virtual data center "${vdc.name}"${standalone ? '' : `, vApp "${vapp.name}"`}`;
  return { place: 'vm', name, where, id: { urn: id } };
}
