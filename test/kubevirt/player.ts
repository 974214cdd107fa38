/** Plays one scenario in a separate namespace, and reports what it observed. */
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../packages/sandbox/src/values/json.ts';
import { eventSlips } from './compare/allowances.ts';
import { answerDifferences } from './compare/answers.ts';
import { compareHistories, type Comparison } from './compare/compare.ts';
import { EventBook } from './event-book.ts';
import type { Harness } from './harness.ts';
import { History } from './history.ts';
import type { Identity } from './identity.ts';
import { Placeholders } from './compare/placeholders.ts';
import { act } from './acting.ts';
import { sameState, settledState, stateText } from './states.ts';
import { played, type PlayedStep } from './stimuli.ts';
import type { Scenario } from './transcripts.ts';

export interface Replay {
  readonly scenario: string;
  readonly title: string;
  readonly objects: readonly Comparison[];
  /** Answers that differ, agents that were refused, steps that did not end. */
  readonly problems: readonly string[];
  /** Events of KubeVirt that were recorded and not seen, or the other way round. */
  readonly events: readonly string[];
  readonly milliseconds: number;
}

export function isSame({ objects, problems, events }: Replay): boolean {
  return problems.length === 0 && events.length === 0 && objects.every(({ same }) => same);
}

export interface PlayOptions {
  /** The deadline for a step to reach the recorded states. */
  readonly stepDeadlineMs: number;
  /** Called for every observation. */
  readonly trace?: Trace;
}

export type Trace = (type: string, kind: string, object: JsonObject, step: number) => void;

export async function playScenario(harness: Harness, scenario: Scenario, options: PlayOptions): Promise<Replay> {
  const started = Date.now();
  const namespace = await harness.enter(scenario.id);
  const run = new ScenarioRun(harness, scenario, namespace, options.trace);
  const leave = harness.watching.observe(namespace, (type, kind, object) => run.see(type, kind, object));
  try {
    for (const step of played(scenario)) if (!(await run.play(step, options))) break;
    await run.heard();
    await run.quiet();
    return { ...run.result(), milliseconds: Date.now() - started };
  } finally {
    leave();
    await harness.leave(namespace);
  }
}

const eventsDeadlineMs = 60_000;
/** At the end it must stay unchanged for this long: unwanted events show only after some waiting. */
const quietMs = 150;
const quietDeadlineMs = 2000;
/** What is not compared is awaited for at most this long; its absence is not reported. */
const settleMs = 20_000;

/** A scenario in progress; it receives the events of its namespace. */
export class ScenarioRun {
  readonly #harness: Harness;
  readonly #trace: Trace | undefined;
  readonly #scenario: Scenario;
  readonly #recorded = new History();
  readonly #seen = new History();
  readonly #events = new EventBook();
  readonly #placeholders: Placeholders;
  readonly #problems: string[] = [];
  readonly #settled = { recorded: new Map<Identity, string>(), seen: new Map<Identity, string[]>() };
  #step = 0;
  #sights = 0;
  #wake: () => void = () => undefined;

  constructor(harness: Harness, scenario: Scenario, namespace: string, trace?: Trace) {
    this.#harness = harness;
    this.#trace = trace;
    this.#scenario = scenario;
    this.#placeholders = new Placeholders(namespace);
  }

  see(type: 'ADDED' | 'MODIFIED' | 'DELETED', kind: string, object: JsonObject): void {
    this.#trace?.(type, kind, object, this.#step);
    this.#sights++;
    if (kind === 'Event') this.#events.saw(object);
    const identity = this.#seen.see(type, kind, object, this.#step);
    if (identity !== undefined) this.#settle(identity, type === 'DELETED' ? 'gone' : settledState(kind, object));
    if (identity !== undefined && type !== 'DELETED') this.#placeholders.sawLive(identity, object);
    this.#wake();
  }

  #settle(identity: Identity, state: string): void {
    this.#settled.seen.set(identity, [...(this.#settled.seen.get(identity) ?? []), state]);
  }

  /** False if the scenario cannot continue. */
  async play({ step, stimuli, events }: PlayedStep, { stepDeadlineMs }: PlayOptions): Promise<boolean> {
    this.#step = step.step;
    // The states at the start of the step may be what it is about; earlier ones are not.
    for (const [identity, states] of this.#settled.seen) this.#settled.seen.set(identity, states.slice(-1));
    const before = new Map([...this.#seen.objects].map(([identity, list]) => [identity, list.length]));
    const told = `step ${step.step} (${step.actor}: ${step.action})`;
    this.#harness.handler.forget(this.#placeholders.namespace);
    for (const stimulus of stimuli) {
      try {
        const outcome = await act(this.#harness, this.#placeholders, stimulus);
        if (stimulus.do === 'call' && outcome !== undefined) {
          const differences = answerDifferences(stimulus.call, outcome, this.#placeholders);
          this.#problems.push(...differences.map((text) => `${told}: ${text}`));
        }
      } catch (error) {
        this.#problems.push(`${told}: ${(error as Error).message}`);
        return false;
      }
    }
    this.#compareForwarded(told, step.forwarded);
    const changed = new Map<Identity, number>();
    for (const event of events) {
      const count = (identity: Identity): number => this.#recorded.objects.get(identity)?.length ?? 0;
      const lengths = new Map([...this.#recorded.objects.keys()].map((identity) => [identity, count(identity)]));
      if (event.kind === 'Event') this.#events.recorded(event.after);
      const identity = this.#recorded.see(event.type, event.kind, event.after, step.step);
      if (identity === undefined) continue;
      this.#placeholders.sawRecorded(identity, event.kind, event.name);
      this.#settled.recorded.set(identity, settledState(event.kind, event.after));
      if (!changed.has(identity)) changed.set(identity, 0);
      if (count(identity) > (lengths.get(identity) ?? 0)) changed.set(identity, (changed.get(identity) ?? 0) + 1);
    }
    const waits = stimuli.some((one) => one.do === 'wait');
    const longest = stepDeadlineMs + (waits ? 200_000 / this.#harness.speed : 0);
    const missing = await this.#until(() => this.#notReached(changed, before), longest);
    if (missing.length === 0) {
      await this.#until(() => this.#notSettled(), settleMs);
      return true;
    }
    this.#problems.push(...missing.map((text) => `${told} did not end as recorded: ${text}`));
    return false;
  }

  #compareForwarded(told: string, expected: readonly { method: string; path: string }[]): void {
    const got = this.#harness.handler
      .forwarded(this.#placeholders.namespace)
      .map(({ method, path }) => `${method} ${path}`);
    const wanted = expected.map(({ method, path }) => `${method} ${this.#placeholders.bindText(path)}`);
    if (got.join() !== wanted.join())
      this.#problems.push(`${told}: virt-handler was asked [${got.join(', ')}], recorded is [${wanted.join(', ')}]`);
  }

  /** What the step waits for: for each object that the recording changed in this step, its last state. */
  #notReached(changed: ReadonlyMap<Identity, number>, before: ReadonlyMap<Identity, number>): string[] {
    return [...changed].flatMap(([identity, changes]) => {
      if (changes === 0) return [];
      const wanted = this.#recorded.objects.get(identity)?.at(-1)?.state;
      const all = this.#seen.states(identity);
      // A single change may have come before the stimulus, since the recording's order over objects is not fixed.
      const from = (before.get(identity) ?? 0) - (changes === 1 ? 1 : 0);
      if (wanted === undefined || all.slice(Math.max(0, from)).some((state) => sameState(state, wanted))) return [];
      return [`${identity} is to be "${stateText(wanted)}" and is "${stateText(all.at(-1)) || '(not there)'}"`];
    });
  }

  #notSettled(): string[] {
    const objects = [...this.#settled.recorded.keys()].filter((identity) => {
      const [wanted, seen = []] = [this.#settled.recorded.get(identity), this.#settled.seen.get(identity)];
      return wanted !== undefined && !seen.includes(wanted) && seen.at(-1) !== 'gone';
    });
    return [...objects, ...this.#unheard()];
  }

  async #until(missing: () => string[], deadlineMs: number): Promise<string[]> {
    const deadline = Date.now() + deadlineMs;
    for (;;) {
      const left = missing();
      if (left.length === 0 || Date.now() > deadline) return left;
      // Thousands of times: aborting a timer creates an error with a stack, clearing it does not.
      await new Promise<void>((wake) => {
        const timer = setTimeout(wake, Math.min(250, deadlineMs));
        this.#wake = () => {
          clearTimeout(timer);
          wake();
        };
      });
    }
  }

  /** Events are sent separately from states, and later: waits until no recorded one is missing. */
  async heard(): Promise<void> {
    if (this.#problems.length > 0) return;
    await this.#until(() => this.#unheard(), eventsDeadlineMs);
  }

  /** A step shows the surplus of the one before it; after the last step this wait does. */
  async quiet(): Promise<void> {
    const deadline = Date.now() + quietDeadlineMs;
    for (let last = -1; last !== this.#sights && Date.now() < deadline;) {
      last = this.#sights;
      await pause(quietMs);
    }
  }

  #unheard(): string[] {
    return this.#eventDifferences().filter((line) => line.startsWith('-'));
  }

  #eventDifferences(): string[] {
    const excused = eventSlips.filter(({ scenario }) => scenario === this.#scenario.id).map(({ event }) => event);
    return this.#events.differences((text) => this.#placeholders.unbind(text), excused);
  }

  result(): Omit<Replay, 'milliseconds'> {
    const { id, title } = this.#scenario;
    return {
      scenario: id,
      title,
      objects: compareHistories(id, this.#recorded, this.#seen),
      problems: this.#problems,
      events: this.#problems.length > 0 ? [] : this.#eventDifferences(),
    };
  }
}
