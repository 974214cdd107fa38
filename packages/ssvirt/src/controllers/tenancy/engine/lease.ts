/**
 * `Lease` tracks how long a claim lasts, by this process's monotonic clock. The time counts from before the claim was
 * requested, so it never ends later here than in PostgreSQL. A process that was paused finds its lease expired before
 * it writes anything.
 */
import type { Kysely } from 'kysely';
import type { Clock } from '@ssvirt/kube/clock';
import { LostClaim, renewClaim, type Claim } from '../../../db/work-queue/reconciliations.ts';
import type { Tables } from '../../../db/schema/schema.ts';

export interface LeaseOptions {
  readonly db: Kysely<Tables>;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** The time before the claim was requested. */
  readonly takenAt: number;
}

export class Lease {
  readonly claim: Claim;
  readonly #options: LeaseOptions;
  #endsAt: number;

  constructor(claim: Claim, options: LeaseOptions) {
    this.claim = claim;
    this.#options = options;
    this.#endsAt = options.takenAt + options.leaseMs;
  }

  /** Throws `LostClaim` if less time is left. */
  assertRoom(milliseconds: number): void {
    if (this.#endsAt - this.#options.clock.now() < milliseconds) throw new LostClaim(this.claim);
  }

  /** Extends the claim if less time is left. Throws `LostClaim` if another replica has the entity. */
  async ensureRoom(milliseconds: number): Promise<void> {
    const { db, clock, leaseMs } = this.#options;
    const askedAt = clock.now();
    if (this.#endsAt - askedAt >= milliseconds) return;
    if (!(await renewClaim(db, this.claim, leaseMs))) throw new LostClaim(this.claim);
    this.#endsAt = askedAt + leaseMs;
    this.assertRoom(milliseconds);
  }
}
