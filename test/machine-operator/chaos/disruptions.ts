/** Kills operators, cuts clusters off, and breaks their credentials; and restores all of it. */
import { setTimeout as pause } from 'node:timers/promises';
import { kubevirtConfigs } from '../../../packages/ssvirt/src/fleet/kubevirtconfig/kubevirt-config.ts';
import type { Dice } from '../../conformance/dice.ts';
import { configsNamespace } from '../../fleet/harness.ts';
import type { Fault } from '../../runtime/fault.ts';
import { isWrite, type SeenRequest } from '../../runtime/seen-request.ts';
import { hang, heal, type ChaosHarness, type Place } from './harness.ts';

export const victims = ['operator', 'write', 'refused', 'hung', 'rotated', 'broken', 'touched', 'requests'] as const;
export type Victim = (typeof victims)[number];

export class Disruptions {
  readonly #harness: ChaosHarness;
  readonly #dice: Dice;
  readonly done: string[] = [];
  /** Each kind disrupts one target at a time. */
  readonly #struck = new Set<string>();

  constructor(harness: ChaosHarness, dice: Dice) {
    this.#harness = harness;
    this.#dice = dice;
  }

  /** Resolves when the target is restored; each takes about this long. */
  async strike(victim: Victim, ms: number): Promise<void> {
    if (victim === 'operator') return this.#killOperator();
    if (victim === 'write') return this.#killAtWrite(ms);
    const free = this.#harness.members.filter(({ name }) => !this.#struck.has(name));
    if (free.length === 0) return;
    const place = this.#dice.pick(free);
    this.#struck.add(place.name);
    try {
      await this.#strikeCluster(victim, place, ms * (0.5 + this.#dice.next()));
    } finally {
      this.#struck.delete(place.name);
    }
  }

  async #strikeCluster(victim: Exclude<Victim, 'operator' | 'write'>, place: Place, ms: number): Promise<void> {
    const harness = this.#harness;
    this.#note(`${place.name} is ${victim}`);
    switch (victim) {
      case 'refused':
        await place.proxy.refuse();
        await pause(ms);
        return place.proxy.accept();
      case 'hung':
        hang(place);
        await pause(ms);
        return heal(place);
      case 'rotated':
        return harness.rotate(place);
      case 'broken':
        await harness.break(place, this.#dice.pick(['nonsense', 'token']));
        await pause(ms);
        return harness.rotate(place);
      case 'touched': {
        const body = { metadata: { annotations: { 'example.com/touched': String(this.#dice.below(1e6)) } } };
        const key = { namespace: configsNamespace, name: place.name };
        await harness.supervisor.client.patch(kubevirtConfigs, key, { type: 'merge', body });
        return;
      }
      case 'requests': {
        const faults: readonly Fault[] = [
          { kind: 'lost-answer' },
          { kind: 'reset' },
          { kind: 'status', code: 503 },
          { kind: 'status', code: 429, retryAfterSeconds: 1 },
          { kind: 'status', code: 409 },
        ];
        const rule = place.proxy.add({ fault: this.#dice.pick(faults), match: isWrite, times: 5 });
        await pause(ms);
        rule.remove();
      }
    }
  }

  async #killOperator(): Promise<void> {
    const operator = this.#dice.pick(this.#harness.operators.all);
    this.#note(`${operator.name} is killed`);
    await operator.kill();
  }

  /** All of them, at one of the next writes: before it arrives, or when it is done and the answer is on its way. */
  async #killAtWrite(ms: number): Promise<void> {
    const place = this.#dice.pick([this.#harness.supervisor, ...this.#harness.members]);
    const at = 1 + this.#dice.below(6);
    const fault: Fault = this.#dice.chance(0.5) ? { kind: 'lost-answer' } : { kind: 'reset' };
    let count = 0;
    const killed = Promise.withResolvers<void>();
    const kill = (): void => {
      Promise.all(this.#harness.operators.all.map((one) => one.kill())).then(() => killed.resolve(), killed.reject);
    };
    const match = (request: SeenRequest): boolean => {
      if (!isWrite(request) || request.resource === 'leases' || request.resource === 'events' || ++count < at)
        return false;
      this.#note(`all are killed at ${request.method} ${request.path} in ${place.name} (${fault.kind})`);
      kill();
      return true;
    };
    const rule = place.proxy.add({ fault, match, times: 1 });
    await Promise.race([killed.promise, pause(4 * ms)]);
    rule.remove();
    if (rule.struck === 0) {
      this.#note('all are killed while they write nothing');
      kill();
    }
    await killed.promise;
  }

  #note(what: string): void {
    this.done.push(`${new Date().toISOString()} ${what}`);
  }
}
