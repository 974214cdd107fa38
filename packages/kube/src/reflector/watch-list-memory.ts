/**
 * `WatchListMemory` remembers for a while which servers do not support watch-list, per API group: an aggregated server
 * may be older than the rest.
 */
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { KubeObject } from '../object.ts';
import type { ResourceType } from '../resource-type.ts';

export class WatchListMemory {
  readonly #clock: Clock;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  isKnown(type: ResourceType<KubeObject>): boolean {
    const until = this.#until.get(placeOf(type));
    return until === undefined || this.#clock.now() >= until;
  }

  refused(type: ResourceType<KubeObject>, forMs: number): void {
    this.#until.set(placeOf(type), this.#clock.now() + forMs);
  }
}

function placeOf({ group, version }: ResourceType<KubeObject>): string {
  return `${group}/${version}`;
}
