import type { Command } from 'commander';
import type { ApiClient } from '../api/client.ts';
import type { Entity } from '../api/entities.ts';
import type { Kind } from '../api/kind.ts';
import { vdcs } from '../api/entity-kinds.ts';
import { resolved } from '../api/names.ts';

/** `named` resolves the argument of a command, within the VDC from its --vdc. */
export async function named<T extends Entity>(
  client: ApiClient,
  kind: Kind<T>,
  name: string,
  command: Command,
): Promise<T> {
  const { vdc } = command.opts<{ readonly vdc?: string }>();
  const inVdc = vdc === undefined ? undefined : (await resolved(client, vdcs, vdc, { by: '--org' })).id;
  const takesVdc = command.options.some(({ long }) => long === '--vdc');
  return resolved(client, kind, name, {
    filter: inVdc === undefined ? undefined : `vdc.id==${inVdc}`,
    by: takesVdc ? '--vdc' : '--org',
  });
}
