/** Changes one VM after the other, at a rate that does not depend on the answers. */
import type { Connection } from '../connection.ts';
import type { Driver } from './drivers.ts';
import { machineName } from './machine.ts';
import { changesOf, type Observed, type Observer } from './observer.ts';
import type { Options } from './options.ts';
import { pause, until } from './until.ts';

const TICK = 10;

/** What happened during the calls. */
export interface Course {
  readonly seconds: number;
  readonly answered: number;
  readonly changes: number;
}

interface Due {
  readonly index: number;
  readonly isOn: boolean;
  readonly at: number;
}

export class Play {
  readonly #free: Connection[];
  readonly #observers: readonly Observer[];
  readonly #options: Options;
  readonly #driver: Driver;
  readonly #rate: number;
  readonly #due: Due[] = [];
  readonly #waiting = new Map<string, Due>();
  /** Milliseconds from when a call was due until the VM showed its effect, for all calls that were not refused. */
  readonly lags: number[] = [];
  refused = 0;
  #under = 0;
  #answered = 0;
  #failure: Error | undefined;

  constructor(
    connections: readonly Connection[],
    machines: Observer,
    observers: readonly Observer[],
    options: Options,
    driver: Driver,
    rate: number,
  ) {
    this.#free = [...connections];
    this.#observers = observers;
    this.#options = options;
    this.#driver = driver;
    this.#rate = rate;
    for (const observer of observers) observer.onChange = () => {};
    machines.onChange = (observed) => this.#saw(observed);
  }

  async run(): Promise<Course> {
    const began = performance.now();
    const before = changesOf(this.#observers);
    const end = began + this.#options.seconds * 1000;
    let offered = 0;
    const offer = (until: number): void => {
      const wanted = Math.floor(((until - began) / 1000) * this.#rate);
      for (; offered < wanted; offered++) this.#due.push(this.#dueOf(offered, began));
      this.#send();
      this.#check();
    };
    for (let now = began; now < end; now = performance.now()) {
      offer(now);
      await pause(TICK);
    }
    // Also offers what became due during the last pause.
    offer(end);
    const seconds = (performance.now() - began) / 1000;
    return { seconds, answered: this.#answered, changes: changesOf(this.#observers) - before };
  }

  /** Every VM is switched on in one round and off in the next. */
  #dueOf(number: number, began: number): Due {
    const { machines } = this.#options;
    const isOn = Math.floor(number / machines) % 2 === 0;
    return { index: number % machines, isOn, at: began + (number / this.#rate) * 1000 };
  }

  #send(): void {
    while (this.#due.length > 0) {
      const connection = this.#free.pop();
      if (connection === undefined) return;
      const due = this.#due.shift() as Due;
      this.#waiting.set(machineName(due.index), due);
      void this.#call(connection, due);
    }
  }

  async #call(connection: Connection, due: Due): Promise<void> {
    this.#under++;
    try {
      const { status } = await connection.send(this.#driver.call(due.index, due.isOn));
      if (status < 300) this.#answered++;
      else {
        this.refused++;
        this.#waiting.delete(machineName(due.index));
      }
      this.#free.push(connection);
      this.#send();
    } catch (error) {
      this.#failure = error as Error;
    } finally {
      this.#under--;
    }
  }

  #saw(observed: Observed): void {
    const due = this.#waiting.get(observed.name);
    if (due === undefined || !this.#driver.isShown(observed, due.isOn)) return;
    this.#waiting.delete(observed.name);
    this.lags.push(performance.now() - due.at);
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
    for (const { failure } of this.#observers) if (failure !== undefined) throw failure;
  }

  /** Resolves when every call that was not refused has had its visible effect. */
  async drain(): Promise<void> {
    const complaint = (): string =>
      `${this.#due.length + this.#waiting.size} calls are not seen to have had their effect`;
    const isOver = (): boolean => {
      this.#check();
      return this.#due.length === 0 && this.#under === 0 && this.#waiting.size === 0;
    };
    await until(isOver, { seconds: this.#options.patience, complaint, observers: this.#observers });
  }
}
