/** The conditions of a DataVolume, derived from its PVC, in CDI's words. */
import { dateText } from './moment.ts';
import type { Condition, PersistentVolumeClaim } from '../kubevirt/objects.ts';
import * as name from './names.ts';

export interface Saying {
  readonly status: Condition['status'];
  readonly reason?: string;
  readonly message?: string;
}

/** `withCondition` returns the list with one condition set, or the same list if nothing changed. */
export function withCondition(
  conditions: readonly Condition[],
  type: string,
  { status, reason = '', message = '' }: Saying,
  now: Date,
): readonly Condition[] {
  const known = conditions.find((one) => one.type === type);
  if (known?.status === status && (known.reason ?? '') === reason && (known.message ?? '') === message)
    return conditions;
  const stamp = dateText(now);
  const next: Condition = {
    lastHeartbeatTime: stamp,
    lastTransitionTime: known?.status === status ? (known.lastTransitionTime ?? stamp) : stamp,
    ...(message === '' ? {} : { message }),
    ...(reason === '' ? {} : { reason }),
    status,
    type,
  };
  return known === undefined ? [...conditions, next] : conditions.map((one) => (one === known ? next : one));
}

export interface Sayings {
  readonly bound: Saying;
  readonly ready: Saying;
  readonly running: Saying;
}

/** `problem` says why there is no PVC. */
export function sayingsOf(
  claim: PersistentVolumeClaim | undefined,
  phase: string,
  problem?: { readonly reason: string; readonly message: string },
): Sayings {
  const running = runningOf(claim);
  const told = claim === undefined ? problem : undefined;
  const ready: Saying =
    running.status === 'True'
      ? { status: 'False', reason: 'TransferRunning' }
      : { status: phase === 'Succeeded' ? 'True' : phase === 'Unknown' ? 'Unknown' : 'False', ...told };
  return { bound: boundOf(claim, problem), ready, running };
}

function boundOf(claim: PersistentVolumeClaim | undefined, problem: Omit<Saying, 'status'> | undefined): Saying {
  if (claim === undefined) return { status: 'False', reason: 'NotFound', message: 'No PVC found', ...problem };
  const { name: called = '' } = claim.metadata;
  switch (claim.status?.phase) {
    case 'Bound':
      return { status: 'True', reason: 'Bound', message: `PVC ${called} Bound` };
    case 'Lost':
      return { status: 'False', reason: 'ClaimLost', message: 'Claim Lost' };
    default:
      return { status: 'False', reason: 'Pending', message: `PVC ${called} Pending` };
  }
}

function runningOf(claim: PersistentVolumeClaim | undefined): Saying {
  const said = claim?.metadata.annotations ?? {};
  return {
    status: said[name.RUNNING] === 'true' ? 'True' : 'False',
    reason: said[name.RUNNING_REASON] ?? '',
    message: said[name.RUNNING_MESSAGE] ?? '',
  };
}
