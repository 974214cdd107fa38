/** The quotas of users, `storedVmQuota` and `deployedVmQuota`: they count the VMs that a user owns, in all VDCs. */
import type { Transaction } from 'kysely';
import type { Tables, UserId, VmId } from '../../db/schema/schema.ts';
import { lockVmQuotas, undeployedByOwner, vmsOfUser, type VmCount, type VmQuotas } from '../../db/vms/vms-of-users.ts';
import type { Caller } from '../caller.ts';
import { ApiError } from '../errors.ts';

/** By owner, in addition to the VMs of today. */
export type RequestedVms = ReadonlyMap<UserId, VmCount>;

const quotas = {
  stored: { field: 'storedVmQuota', words: 'virtual machines' },
  deployed: { field: 'deployedVmQuota', words: 'powered-on virtual machines' },
} as const;

/** New VMs, which belong to the caller. */
export function newVms(
  caller: Caller,
  count: number,
  { powerOn = true }: { readonly powerOn?: boolean },
): RequestedVms {
  return new Map([[caller.userId, { stored: count, deployed: powerOn ? count : 0 }]]);
}

/** VMs to power on, each of which counts for its owner, whoever asks. The caller holds their rows. */
export async function deployments(tx: Transaction<Tables>, vms: readonly VmId[]): Promise<RequestedVms> {
  const owners = await undeployedByOwner(tx, vms);
  return new Map([...owners].map(([owner, deployed]) => [owner, { stored: 0, deployed }]));
}

/**
 * Throws `QUOTA_EXCEEDED` if the quota of an owner does not allow it. Locks the owners' rows until the end of the
 * transaction; call it after the rows of VDC, vApp and VMs are locked.
 */
export async function requireVmQuotas(tx: Transaction<Tables>, requested: RequestedVms): Promise<void> {
  for (const user of await lockVmQuotas(tx, [...requested.keys()])) {
    const asked = requested.get(user.id);
    if (asked !== undefined) requireQuota(user, await vmsOfUser(tx, user.id), asked);
  }
}

function requireQuota(user: VmQuotas, used: VmCount, asked: VmCount): void {
  const lacks = (['stored', 'deployed'] as const).flatMap((kind) => {
    if (user[kind] === 0 || asked[kind] === 0 || used[kind] + asked[kind] <= user[kind]) return [];
    const { field, words } = quotas[kind];
    return [`${words} (${field}): ${used[kind]} of ${user[kind]} are used, ${asked[kind]} more are requested`];
  });
  if (lacks.length > 0)
    throw new ApiError(
      'QUOTA_EXCEEDED',
      `The user "${user.username}" has reached a quota: ${lacks.join('; ')}. Delete or power off virtual machines of this user, or ask an administrator to raise the quota.`,
    );
}
