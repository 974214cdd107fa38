/**
 * Users work on their Machines in three clusters, vandals change these, operators are killed, clusters are cut off, and
 * Secrets are rotated. In the end, when all is quiet, the objects of each Machine must be as declared, and nothing else
 * may exist; and when all are deleted, nothing at all.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { namespaces, virtualMachines } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { Dice } from '../../conformance/dice.ts';
import { until } from '../../runtime/until.ts';
import { look } from '../harness.ts';
import { agree, seen } from './agreement.ts';
import { Declared } from './declared.ts';
import { Disruptions, victims, type Victim } from './disruptions.ts';
import { ChaosHarness, teams } from './harness.ts';
import { create, edit, isGone, remove } from './people.ts';
import { vandalize } from './vandals.ts';

export interface ChaosOptions {
  readonly seed: number;
  readonly machines: number;
  readonly durationMs: number;
  /** The average pause between two actions of one user, and the number of actions. */
  readonly pauseMs: number;
  readonly people: number;
  /** The average pause between two disruptions, and their duration. */
  readonly calmMs: number;
  /** What is disrupted in each round; by default all. At least one round runs. */
  readonly strikes?: readonly Victim[];
  readonly deadlineMs: number;
  /** Whether each cluster is a separate process; by default all are in this one. */
  readonly apart?: boolean;
  readonly say?: (text: string) => void;
}

export interface ChaosResult {
  readonly actions: number;
  readonly disruptions: readonly string[];
  /** Machines that ever had a virtual machine in two clusters. */
  readonly doubles: readonly string[];
}

/** Rejects if the world does not become as declared. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const settings = { maxConcurrentReconciles: '10', reconcileInterval: '5s' };
  const { machines, apart = false } = options;
  const harness = await ChaosHarness.start({ machines, apart, again: true, settings });
  try {
    return await new Play(harness, options).run();
  } finally {
    await harness.stop();
  }
}

class Play {
  readonly #harness: ChaosHarness;
  readonly #options: ChaosOptions;
  readonly #all: readonly Declared[];
  readonly #disruptions: Disruptions;
  /** Where the virtual machine of a uid was seen. */
  readonly #seen = new Map<string, Set<string>>();
  #actions = 0;

  constructor(harness: ChaosHarness, options: ChaosOptions) {
    this.#harness = harness;
    this.#options = options;
    this.#all = Array.from(
      { length: options.machines },
      (_, i) => new Declared(teams[i % teams.length] ?? '', `m${Math.floor(i / teams.length)}`),
    );
    this.#disruptions = new Disruptions(harness, new Dice(options.seed + 100));
  }

  async run(): Promise<ChaosResult> {
    const { seed, people, say = () => undefined, deadlineMs } = this.#options;
    await Promise.all([this.#harness.operators.start(), this.#harness.operators.start()]);
    const dice = new Dice(seed);
    for (const declared of this.#all) await create(this.#harness, declared, dice);
    say(`${this.#all.length} Machines are declared`);
    await agree(this.#harness, this.#all, { deadlineMs, say });
    say('they are there');
    const stopping = new AbortController();
    const { signal } = stopping;
    const working = Array.from({ length: people }, (_, i) => this.#work(new Dice(seed + 1 + i), signal));
    const watching = this.#watch(signal);
    try {
      await this.#disrupt(new Dice(seed + 200), say);
    } finally {
      stopping.abort();
      await Promise.all([...working, watching]);
    }
    const { done } = this.#disruptions;
    say(`${this.#actions} actions, ${done.length} disruptions; waiting until all is as declared`);
    await agree(this.#harness, this.#all, { deadlineMs, happened: done, say });
    await seen(() => this.#lookForDoubles());
    say('all is as declared; all Machines are deleted');
    for (const declared of this.#all) if (declared.state === 'there') await remove(this.#harness, declared);
    await agree(this.#harness, this.#all, { deadlineMs, happened: done, say });
    await this.#namespacesStay();
    return { actions: this.#actions, disruptions: done, doubles: this.#doubles() };
  }

  async #work(dice: Dice, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const declared = dice.pick(this.#all);
      if (!declared.isBusy) {
        declared.isBusy = true;
        try {
          await this.#act(declared, dice);
        } finally {
          declared.isBusy = false;
        }
      }
      await pause(this.#options.pauseMs * (0.5 + dice.next()));
    }
  }

  async #act(declared: Declared, dice: Dice): Promise<void> {
    this.#actions++;
    if (declared.state === 'going' && !(await isGone(this.#harness, declared))) return undefined;
    if (declared.state === 'absent') return create(this.#harness, declared, dice);
    const lot = dice.next();
    if (lot < 0.1) return remove(this.#harness, declared);
    return lot < 0.4 ? vandalize(this.#harness, declared, dice) : edit(this.#harness, declared, dice);
  }

  /** Each once in a round, in a random order; the next may be disrupted before the previous one is restored. */
  async #disrupt(dice: Dice, say: (text: string) => void): Promise<void> {
    const { durationMs, calmMs, strikes = victims } = this.#options;
    const end = Date.now() + durationMs;
    const under = new Set<Promise<void>>();
    for (let round = 0; round === 0 || Date.now() < end; round++)
      for (const victim of dice.some(strikes, 1)) {
        await pause(calmMs * (0.5 + dice.next()));
        const before = this.#disruptions.done.length;
        const strike = this.#disruptions.strike(victim, calmMs);
        under.add(strike);
        // The rejection is handled where the promise is awaited.
        strike.catch(() => undefined);
        if (dice.chance(0.5)) await strike;
        for (const what of this.#disruptions.done.slice(before)) say(what);
      }
    await Promise.all(under);
  }

  async #watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await seen(() => this.#lookForDoubles());
      await pause(2000);
    }
  }

  async #lookForDoubles(): Promise<void> {
    for (const { name, client } of this.#harness.members)
      for (const { metadata } of (await client.list(virtualMachines, { metadataOnly: true })).items) {
        const uid = metadata.labels?.['ssvirt.io/parent-uid'];
        if (uid !== undefined) this.#seen.set(uid, (this.#seen.get(uid) ?? new Set()).add(name));
      }
  }

  #doubles(): readonly string[] {
    return [...this.#seen].filter(([, clusters]) => clusters.size > 1).map(([uid]) => uid);
  }

  async #namespacesStay(): Promise<void> {
    for (const { name, client } of this.#harness.members)
      for (const team of teams)
        await until(
          `${name} still has ${team}`,
          async () => (await look(client, namespaces, { name: team }))?.metadata.deletionTimestamp === undefined,
          { deadlineMs: 1000 },
        );
  }
}
