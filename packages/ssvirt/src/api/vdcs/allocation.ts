/** Checks before anything is created in a virtual data center. */
import type { Transaction } from 'kysely';
import type { Tables, VdcId } from '../../db/schema/schema.ts';
import { vdcUsage, type VdcUsage } from '../../db/vdcs/vdc-usage.ts';
import { lockVdc, type Vdc } from '../../db/vdcs/vdcs.ts';
import { ApiError, conflict, found } from '../errors.ts';
import { requireRoom } from './limits.ts';

/** What is taken in addition to current usage: for a VM that grows, the difference. */
export type Allocation = VdcUsage;

export const noAllocation: Allocation = { vms: 0, cpus: 0, memoryMb: 0, storageMb: 0, nics: 0 };

/**
 * Throws `QUOTA_EXCEEDED` if the limits do not allow it. Locks the VDC's row until the end of the transaction, so that
 * only one of two requests gets the last of it. Call it before anything else locks that row in the same transaction
 * (`createVapp` does), or two transactions deadlock.
 */
export async function requireAllocation(tx: Transaction<Tables>, vdcId: VdcId, asked: Allocation): Promise<Vdc> {
  const vdc = found(await lockVdc(tx, 'all', vdcId));
  requireRoom(vdc, await vdcUsage(tx, vdcId), asked);
  return vdc;
}

/**
 * Call it before creating, instantiating or powering on; running VMs may keep running, and may be stopped, changed and
 * deleted.
 */
export function requireEnabled(vdc: Pick<Vdc, 'name' | 'enabled' | 'desired_state'>): void {
  requireStaying(vdc);
  if (!vdc.enabled)
    throw conflict(
      `The virtual data center "${vdc.name}" is disabled: nothing can be created, instantiated or powered on in it. Ask the provider to enable it.`,
    );
}

export function requireStaying({ name, desired_state }: Pick<Vdc, 'name' | 'desired_state'>): void {
  if (desired_state === 'absent')
    throw new ApiError(
      'BUSY_ENTITY',
      `The virtual data center "${name}" is being deleted: nothing in it can be changed.`,
    );
}
