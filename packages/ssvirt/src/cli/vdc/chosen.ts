import type { Schemas } from '@ssvirt/api-client/client';
import type { ApiClient } from '../api/client.ts';
import { vdcs } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';
import { listOf } from '../api/pages.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

/** `chosenVdc` resolves to the named VDC; without a name, to the only one that exists. */
export async function chosenVdc(client: ApiClient, name: string | undefined): Promise<Schemas['Vdc']> {
  if (name !== undefined) return resolved(client, vdcs, name, { by: '--org' });
  const [first, ...others] = await listOf(client, vdcs.list, { limit: 6 });
  if (first !== undefined && others.length === 0) return first;
  if (first === undefined)
    throw new CliFailure('you have no virtual data center: ask your provider for one.', exitCodes.notFound);
  const names = [first, ...others].map((one) => one.name).join(', ');
  throw new CliFailure(
    `more than one virtual data center: give --vdc NAME. You have ${names}${others.length > 4 ? ' …' : ''}.`,
    exitCodes.usage,
  );
}
