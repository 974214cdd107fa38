/** What everybody asks of a vApp before something is changed in it. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../db/schema.ts';
import type { Vapp } from '../../db/vapps.ts';
import { getVdc, type Vdc } from '../../db/vdcs.ts';
import { ApiError, conflict, found } from '../errors.ts';
import { requireEnabled, requireStaying } from '../vdcs/allocation.ts';

export async function vdcOf(db: Kysely<Tables>, { vdc_id }: Pick<Vapp, 'vdc_id'>): Promise<Vdc> {
  return found(await getVdc(db, 'all', vdc_id));
}

export function requireLiving(vapp: Vapp, vdc: Vdc, { enabled = false }: { readonly enabled?: boolean } = {}): void {
  if (enabled) requireEnabled(vdc);
  else requireStaying(vdc);
  if (vapp.desired_state === 'absent')
    throw new ApiError(
      'BUSY_ENTITY',
      `The vApp "${vapp.name}" is being deleted: nothing in it can be changed any more.`,
    );
}

/** One that was made for a machine alone lives, is called and ends as the machine does. */
export function requireOwnLife({ hidden, name }: Vapp): void {
  if (hidden)
    throw conflict(
      `The vApp "${name}" was made for one machine alone, and follows it: change the machine instead, or make a vApp of its own for others.`,
    );
}
