/** Writes at a steady rate and ignores the outcome: the server dies now and then. */
import type { Client, RequestOptions } from '../../packages/kube/src/client/client.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { Dice } from '../../test/conformance/dice.ts';
import { namespace } from '../sandbox/workload.ts';
import { virtualMachine } from '../sandbox/virtual-machine.ts';

export class Writer {
  readonly #client: Client;
  readonly #type: ResourceType;
  readonly #dice: Dice;
  readonly #objects: number;
  #made = 0;
  /**
   * Created and not yet deleted objects, the oldest first. Their number stays small, or the heap would grow with it.
   */
  readonly #spare: string[] = [];
  readonly #under = new Set<Promise<void>>();
  readonly counts = { acknowledged: 0, failed: 0 };

  constructor(client: Client, type: ResourceType, dice: Dice, objects: number) {
    this.#client = client;
    this.#type = type;
    this.#dice = dice;
    this.#objects = objects;
  }

  /** Writes for this long, then waits for the outstanding answers. */
  async write(milliseconds: number, rate: number): Promise<void> {
    const began = performance.now();
    for (let index = 0; ; index++) {
      const at = began + (index * 1000) / rate;
      if (at > began + milliseconds) break;
      const pause = at - performance.now();
      if (pause > 0) await new Promise((wake) => setTimeout(wake, pause));
      const write = this.#once().then(
        () => void this.counts.acknowledged++,
        () => void this.counts.failed++, // The server is down, or another write was faster. Only the server's final state counts.
      );
      this.#under.add(write);
      void write.finally(() => this.#under.delete(write));
    }
    await Promise.all(this.#under);
  }

  async #once(): Promise<unknown> {
    const options = { timeoutMs: 5000 };
    const name = `bench-${String(this.#dice.below(this.#objects)).padStart(6, '0')}`;
    const chance = this.#dice.below(10);
    const eldest = chance === 0 ? this.#spare.shift() : undefined;
    if (eldest !== undefined) return this.#delete(eldest, options);
    if (chance <= 1) {
      const fresh = `soak-${++this.#made}`;
      this.#spare.push(fresh);
      const body = virtualMachine(`${this.#type.group}/v1`, fresh, this.#made) as { metadata: { name: string } };
      return this.#client.create(this.#type, { ...body, metadata: { ...body.metadata, namespace } }, options);
    }
    const tenth = String(this.#dice.below(10));
    const body = {
      metadata: { labels: { 'bench/tenth': tenth }, annotations: { 'bench/round': String(performance.now()) } },
    };
    return this.#client.patch(this.#type, { namespace, name }, { type: 'merge', body }, options);
  }

  /** A failed delete is repeated later: an object left behind would look like a leak of the subject. */
  async #delete(name: string, options: RequestOptions): Promise<unknown> {
    try {
      return await this.#client.delete(this.#type, { namespace, name }, options);
    } catch (error) {
      if (!isNotFound(error)) this.#spare.push(name);
      throw error;
    }
  }
}
