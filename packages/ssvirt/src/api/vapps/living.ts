/** Checks before every change in a vApp. */
import type { Kysely } from 'kysely';
import type { Tables } from '../../db/schema/schema.ts';
import type { Vapp } from '../../db/vapps/vapps.ts';
import { getVdc, type Vdc } from '../../db/vdcs/vdcs.ts';
import { ApiError, conflict, found } from '../errors.ts';
import { requireEnabled, requireStaying } from '../vdcs/allocation.ts';

export async function vdcOf(db: Kysely<Tables>, { vdc_id }: Pick<Vapp, 'vdc_id'>): Promise<Vdc> {
  return found(await getVdc(db, 'all', vdc_id));
}

export function requireLiving(vapp: Vapp, vdc: Vdc, { enabled = false }: { readonly enabled?: boolean } = {}): void {
  if (enabled) requireEnabled(vdc);
  else requireStaying(vdc);
  if (vapp.desired_state === 'absent')
    throw new ApiError('BUSY_ENTITY', `The vApp "${vapp.name}" is being deleted and cannot be changed.`);
}

/** A vApp that was created for a single VM has its name and lifetime. */
export function requireOwnLife({ hidden, name }: Vapp): void {
  if (hidden)
    throw conflict(
      `The vApp "${name}" was created for a single VM and follows it: change the VM instead, or create a vApp for other VMs.`,
    );
}
