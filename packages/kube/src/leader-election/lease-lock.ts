/**
 * `LeaseLock` is one candidate's view of a Lease, with single attempts to acquire, renew and release it. The elector
 * decides when to try.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Client, RequestOptions } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import { isConflict, isKind, isNotFound } from '../errors.ts';
import { keyOf } from '../object.ts';
import type { ObjectKey } from '../object.ts';
import { acquiredSpec, holderOf, leases, released, renewed, takenOver, transitionsOf } from './lease.ts';
import type { Claim, Lease } from './lease.ts';
import { LeadershipLost } from './term.ts';

export interface LeaseLockOptions {
  readonly client: Client;
  readonly key: ObjectKey;
  readonly identity: string;
  readonly leaseDurationMs: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Called when a renewal had to read the lease first. */
  readonly onSlowPath: () => void;
}

export interface Won {
  readonly lease: Lease;
  /** On the monotonic clock, when the winning write was sent. */
  readonly sentAt: number;
}

export class LeaseLock {
  readonly #options: LeaseLockOptions;
  #lease: Lease | undefined;
  /**
   * The holder's last write and when *we* first saw it: its timestamps come from another machine's clock and are not
   * used.
   */
  #seen: { readonly spec: string; readonly at: number } | undefined;

  #mayHold = false;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** The last observed holder; empty when there is none. */
  get holder(): string {
    return holderOf(this.#lease);
  }

  /** Whether a write of ours has won the lease or may have: its result may be unknown. */
  get mayHold(): boolean {
    return this.#mayHold;
  }

  /**
   * Acquires the lease if it is free, expired or already ours. Resolves to undefined when another holds it or was
   * faster.
   */
  async acquire(request: RequestOptions): Promise<Won | undefined> {
    const { client, key, clock, identity } = this.#options;
    // Taken before the request: an answer that was buffered during a stall says nothing about the time since.
    const startedAt = clock.now();
    const lease = await absent(client.get(leases, key, request));
    if (lease === undefined) return this.#win(this.#create(request), clock.now());
    this.#observe(lease);
    const ours = this.holder === identity;
    if (!ours && this.holder !== '' && !this.#expired(startedAt)) return undefined;
    // Ours without our knowing: the answer to an earlier attempt was lost.
    const claimed = ours ? renewed(lease, this.#claim()) : takenOver(lease, this.#claim());
    return this.#win(client.update(leases, claimed, request), clock.now());
  }

  /**
   * Rejects with LeadershipLost when the lease is no longer the one that was won, otherwise with the request's error.
   */
  async renew(request: RequestOptions): Promise<void> {
    const { client, key, onSlowPath } = this.#options;
    const mine = this.#lease;
    if (mine === undefined) throw new Error('cannot renew a lease that was not acquired');
    try {
      this.#observe(await client.update(leases, renewed(mine, this.#claim()), request));
      return;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    onSlowPath();
    const found = await absent(client.get(leases, key, request));
    this.#assertUnbroken(mine, found);
    this.#observe(await client.update(leases, renewed(found, this.#claim()), request));
  }

  /** Frees the lease if it is ours; resolves to false if it is not. Rejects on a conflict: the caller retries. */
  async release(request: RequestOptions): Promise<boolean> {
    const { client, key, clock, identity } = this.#options;
    const lease = await absent(client.get(leases, key, request));
    if (lease === undefined || holderOf(lease) !== identity) return false;
    this.#observe(await client.update(leases, released(lease, clock.date()), request));
    return true;
  }

  /**
   * A term lasts only as long as no other process can have led. If the Lease was deleted, released or taken over in
   * between, another one may have led, even if the Lease is free again. Go's elector would continue, and so use an old
   * epoch after a newer one.
   */
  #assertUnbroken(mine: Lease, found: Lease | undefined): asserts found is Lease {
    const name = keyOf(this.#options.key);
    if (found === undefined) throw new LeadershipLost(`the lease ${name} was deleted`);
    this.#observe(found);
    if (this.holder !== this.#options.identity)
      throw new LeadershipLost(`the lease ${name} is held by ${this.holder || 'no one'}`);
    if (found.metadata.uid !== mine.metadata.uid || transitionsOf(found) !== transitionsOf(mine))
      throw new LeadershipLost(`the lease ${name} was held by another in between`);
  }

  #create(request: RequestOptions): Promise<Lease> {
    const { client, key, labels } = this.#options;
    // Continues the count of a deleted Lease, in case both were created in the same second (see epochOf).
    const transitions = this.#lease === undefined ? 0 : transitionsOf(this.#lease) + 1;
    const metadata = { name: key.name, ...defined({ namespace: key.namespace }) };
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...metadata, ...defined({ labels }) },
      spec: acquiredSpec(this.#claim(), transitions),
    };
    return client.create(leases, lease, request);
  }

  async #win(write: Promise<Lease>, sentAt: number): Promise<Won | undefined> {
    this.#mayHold = true;
    try {
      const lease = await write;
      this.#observe(lease);
      return { lease, sentAt };
    } catch (error) {
      if (!isKind(error, 'Conflict', 'AlreadyExists', 'NotFound')) throw error;
      this.#mayHold = false; // another was faster
      return undefined;
    }
  }

  #claim(): Claim {
    const { identity, leaseDurationMs, clock } = this.#options;
    return { identity, leaseDurationMs, date: clock.date() };
  }

  #observe(lease: Lease): void {
    this.#lease = lease;
    const spec = JSON.stringify([lease.metadata.uid, lease.spec]);
    if (this.#seen?.spec !== spec) this.#seen = { spec, at: this.#options.clock.now() };
  }

  /** The holder's own duration applies: it may run with other settings, and a released lease has one second. */
  #expired(now: number): boolean {
    const seconds = this.#lease?.spec?.leaseDurationSeconds;
    const durationMs = typeof seconds === 'number' ? seconds * 1000 : this.#options.leaseDurationMs;
    return this.#seen !== undefined && now >= this.#seen.at + durationMs;
  }
}

async function absent(get: Promise<Lease>): Promise<Lease | undefined> {
  try {
    return await get;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
