/** What everybody asks of a virtual data center before something is put into it. */
import type { Transaction } from 'kysely';
import type { Tables, VdcId } from '../../db/schema.ts';
import { vdcUsage, type VdcUsage } from '../../db/vdc-usage.ts';
import { lockVdc, type Vdc } from '../../db/vdcs.ts';
import { ApiError, conflict, found } from '../errors.ts';
import { requireRoom } from './limits.ts';

/** What is to be taken in addition to what is used: of a machine that grows, by how much. */
export type Allocation = VdcUsage;

/**
 * Refuses (`QUOTA_EXCEEDED`) what the limits do not allow. The VDC's row is held until the end of the transaction, so that of two requests for the last of
 * it one gets it. To be called before anything else takes that row in the same transaction (`createVapp` does), or two of them wait for each other.
 */
export async function requireAllocation(tx: Transaction<Tables>, vdcId: VdcId, asked: Allocation): Promise<Vdc> {
  const vdc = found(await lockVdc(tx, 'all', vdcId));
  requireRoom(vdc, await vdcUsage(tx, vdcId), asked);
  return vdc;
}

/** For what creates, instantiates or powers on; what runs may go on running, and be stopped, changed and deleted. */
export function requireEnabled(vdc: Pick<Vdc, 'name' | 'enabled' | 'desired_state'>): void {
  requireStaying(vdc);
  if (!vdc.enabled)
    throw conflict(
      `The virtual data center "${vdc.name}" is disabled: nothing can be created, instantiated or powered on in it. Have the provider enable it.`,
    );
}

export function requireStaying({ name, desired_state }: Pick<Vdc, 'name' | 'desired_state'>): void {
  if (desired_state === 'absent')
    throw new ApiError(
      'BUSY_ENTITY',
      `The virtual data center "${name}" is being deleted: nothing in it can be changed any more.`,
    );
}
