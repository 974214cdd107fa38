/** `WatchCondition` tracks the health of a reflector: what works, since when, and what fails. */
import type { ReflectorHealth } from '../informer/informer.ts';
import type { Clock } from '../clock.ts';
import type { Failure, StateMachine } from './state-machine.ts';

type Trouble = ReflectorHealth['trouble'];

export class WatchCondition {
  readonly #clock: Clock;
  readonly #healthyAfterMs: number;
  #synced = false;
  #activeAt: number | undefined;
  #workingSince: number | undefined;
  #internalSince: number | undefined;
  #failures = 0;
  #failingSince: number | undefined;
  #error: Error | undefined;
  #trouble: Trouble = 'none';

  constructor(clock: Clock, healthyAfterMs: number) {
    this.#clock = clock;
    this.#healthyAfterMs = healthyAfterMs;
  }

  get consecutiveFailures(): number {
    return this.#failures;
  }

  get synced(): boolean {
    return this.#synced;
  }

  get activeAt(): number | undefined {
    return this.#activeAt;
  }

  /** The server is active: an event, a bookmark or a page came. */
  active(): void {
    this.#activeAt = this.#clock.now();
    this.#trouble = 'none';
    this.works();
  }

  /** A watch is open, even if nothing happens on it: that ends every trouble but a silence. */
  works(): void {
    this.#workingSince ??= this.#clock.now();
    this.#internalSince = undefined;
    if (this.#trouble === 'silent') return;
    this.#failures = 0;
    this.#failingSince = undefined;
    this.#error = undefined;
    this.#trouble = 'none';
  }

  listed(): void {
    this.#synced = true;
    this.active();
  }

  /** Returns whether the time before the failure was good for long enough to reset the backoff. */
  failed(error: Error, failure: Failure): boolean {
    const rested = this.#workingSince !== undefined && this.#clock.now() - this.#workingSince >= this.#healthyAfterMs;
    this.#workingSince = undefined;
    this.#failures++;
    this.#failingSince ??= this.#clock.now();
    this.#error = error;
    this.#trouble = failure === 'forbidden' || failure === 'absent' ? failure : 'failing';
    if (failure !== 'internal') this.#internalSince = undefined;
    return rested;
  }

  silent(error: Error): void {
    this.#workingSince = undefined;
    this.#failures++;
    this.#failingSince ??= this.#clock.now();
    this.#error = error;
    this.#trouble = 'silent';
  }

  /** How long the server has answered with nothing but internal errors. */
  internalFor(): number {
    this.#internalSince ??= this.#clock.now();
    return this.#clock.now() - this.#internalSince;
  }

  health({ state, resourceVersion }: StateMachine): ReflectorHealth {
    return {
      state,
      synced: this.#synced,
      lastSyncResourceVersion: resourceVersion,
      lastActivityAt: this.#activeAt,
      consecutiveFailures: this.#failures,
      failingSince: this.#failingSince,
      lastError: this.#error,
      trouble: this.#trouble,
    };
  }
}
