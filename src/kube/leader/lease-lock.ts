/** One candidate's view of a Lease, and each single attempt on it. When to try, and what follows, is the elector's. */
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
  /** A renewal had to read the lease first. */
  readonly onSlowPath: () => void;
}

export interface Won {
  readonly lease: Lease;
  /** By the monotonic clock, when the write that won was sent. */
  readonly sentAt: number;
}

export class LeaseLock {
  readonly #options: LeaseLockOptions;
  #lease: Lease | undefined;
  /** What the holder wrote last, and when *we* first saw it: the times in it are another machine's, and say nothing here. */
  #seen: { readonly spec: string; readonly at: number } | undefined;

  #mayHold = false;

  constructor(options: LeaseLockOptions) {
    this.#options = options;
  }

  /** Who holds it, as last seen; empty when nobody does. */
  get holder(): string {
    return holderOf(this.#lease);
  }

  /** Whether a write of ours may have won it: it has, or we do not know what became of it. */
  get mayHold(): boolean {
    return this.#mayHold;
  }

  /** Wins the lease if it is free, expired or ours already. Undefined where another holds it, or was faster. */
  async acquire(request: RequestOptions): Promise<Won | undefined> {
    const { client, key, clock, identity } = this.#options;
    // Before the request: an answer that lay in a buffer while we were stalled says nothing about the time since.
    const startedAt = clock.now();
    const lease = await absent(client.get(leases, key, request));
    if (lease === undefined) return this.#win(this.#create(request), clock.now());
    this.#observe(lease);
    const ours = this.holder === identity;
    if (!ours && this.holder !== '' && !this.#expired(startedAt)) return undefined;
    // Ours without our knowing: the answer to an earlier attempt did not reach us.
    const claimed = ours ? renewed(lease, this.#claim()) : takenOver(lease, this.#claim());
    return this.#win(client.update(leases, claimed, request), clock.now());
  }

  /** Throws a LeadershipLost where the lease is not the one that was won any more, else what went wrong with the request. */
  async renew(request: RequestOptions): Promise<void> {
    const { client, key, onSlowPath } = this.#options;
    const mine = this.#lease;
    if (mine === undefined) throw new Error('a lease is won before it is renewed');
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

  /** Frees the lease if it is ours. False when it was not: then there is nothing to free. Throws on a conflict: the caller tries again. */
  async release(request: RequestOptions): Promise<boolean> {
    const { client, key, clock, identity } = this.#options;
    const lease = await absent(client.get(leases, key, request));
    if (lease === undefined || holderOf(lease) !== identity) return false;
    this.#observe(await client.update(leases, released(lease, clock.date()), request));
    return true;
  }

  /**
   * A term lasts as long as nobody else can have led. In a Lease that was deleted, released or taken over in between somebody can have, even
   * if it is free again now; Go's elector would go on, and so carry an old epoch past a newer one.
   */
  #assertUnbroken(mine: Lease, found: Lease | undefined): asserts found is Lease {
    const name = keyOf(this.#options.key);
    if (found === undefined) throw new LeadershipLost(`the lease ${name} was deleted`);
    this.#observe(found);
    if (this.holder !== this.#options.identity)
      throw new LeadershipLost(`the lease ${name} is held by ${this.holder || 'nobody'}`);
    if (found.metadata.uid !== mine.metadata.uid || transitionsOf(found) !== transitionsOf(mine))
      throw new LeadershipLost(`the lease ${name} was held by another in between`);
  }

  #create(request: RequestOptions): Promise<Lease> {
    const { client, key, labels } = this.#options;
    // After one that was deleted we count on, in case both were made in the same second (see epochOf).
    const transitions = this.#lease === undefined ? 0 : transitionsOf(this.#lease) + 1;
    const metadata = { name: key.name, ...(key.namespace === undefined ? {} : { namespace: key.namespace }) };
    const lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { ...metadata, ...(labels === undefined ? {} : { labels }) },
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

  /** The holder's own duration counts: it may have been started with other settings, and a released lease says one second. */
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
