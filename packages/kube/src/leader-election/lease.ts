/** The coordination.k8s.io/v1 Lease, and what each step of an election writes into it, as pure functions. */
import { microTime } from '../micro-time.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';

export interface LeaseSpec {
  /** Empty or absent when the lease is free. */
  readonly holderIdentity?: string | null;
  readonly leaseDurationSeconds?: number | null;
  readonly acquireTime?: string | null;
  readonly renewTime?: string | null;
  readonly leaseTransitions?: number | null;
}

export interface Lease extends KubeObject {
  readonly spec?: LeaseSpec;
}

export const leases: ResourceType<Lease> = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  plural: 'leases',
  namespaced: true,
};

export function holderOf(lease: Lease | undefined): string {
  return lease?.spec?.holderIdentity ?? '';
}

export function transitionsOf(lease: Lease | undefined): number {
  return lease?.spec?.leaseTransitions ?? 0;
}

/**
 * More leader changes than a Lease can see in its first second, and small enough that the sum stays exact until the
 * year 2242.
 */
const transitionsPerSecond = 2 ** 20;

/**
 `epochOf` returns * The epoch of a term. Transitions alone would restart at 0 when the Lease is deleted and recreated, and a database
 * that has seen a greater epoch would refuse every leader from then on. So the creation time of the Lease in seconds is
 * the higher part. It is the server's time, and it is compared only between Leases of one name: neither our clock nor
 * those of other candidates matter.
 */
export function epochOf(lease: Lease): number {
  const created = Math.floor(Date.parse(lease.metadata.creationTimestamp ?? '') / 1000);
  if (!Number.isSafeInteger(created)) throw new Error('the lease has no valid creationTimestamp');
  return created * transitionsPerSecond + transitionsOf(lease);
}

export interface Claim {
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly date: Date;
}

export function acquiredSpec(claim: Claim, transitions: number): LeaseSpec {
  const now = microTime(claim.date);
  return {
    holderIdentity: claim.identity,
    leaseDurationSeconds: claim.leaseDurationMs / 1000,
    acquireTime: now,
    renewTime: now,
    leaseTransitions: transitions,
  };
}

/**
 `takenOver` * Keeps the rest of the object as the server sent it, including resourceVersion and uid, which are the precondition.
 */
export function takenOver(lease: Lease, claim: Claim): Lease {
  return { ...lease, spec: { ...lease.spec, ...acquiredSpec(claim, transitionsOf(lease) + 1) } };
}

export function renewed(lease: Lease, claim: Claim): Lease {
  const leaseDurationSeconds = claim.leaseDurationMs / 1000;
  return { ...lease, spec: { ...lease.spec, leaseDurationSeconds, renewTime: microTime(claim.date) } };
}

/** One second is the shortest duration that the API accepts: the next candidate need not wait for ours to expire. */
export function released(lease: Lease, date: Date): Lease {
  const now = microTime(date);
  return {
    ...lease,
    spec: { ...lease.spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: now, renewTime: now },
  };
}
