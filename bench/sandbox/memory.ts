/** What the objects take in the servers' memory. */
import type { Figures } from './figures.ts';
import { residentBytes } from './processes.ts';
import type { Server } from './servers.ts';

const section = 'memory';
const interval = 500;
const steadyShare = 0.01;
const steadyFor = 4000;

/** Follows one server's memory; each figure is of what has happened since the one before. */
export class Memory {
  readonly #server: Server;
  readonly #figures: Figures;
  readonly #patience: number;
  #live = 0;

  /** `patience` is how long a server may take to come to rest, in milliseconds. */
  constructor(server: Server, figures: Figures, patience: number) {
    this.#server = server;
    this.#figures = figures;
    this.#patience = patience;
  }

  /** Adds what is resident now and, of a server that can be told to collect its garbage, what is left then. */
  async look(name: string): Promise<void> {
    this.#figures.add(section, `resident after ${name}`, 'MB', await settledMegabytes(this.#server, this.#patience));
    if (this.#server.collectGarbage === undefined) return;
    // Twice: what finalizers let go of in the first round is free after the second.
    await this.#server.collectGarbage();
    await this.#server.collectGarbage();
    const live = await settledMegabytes(this.#server, this.#patience);
    this.#figures.add(section, `growth by ${name}, collected`, 'MB', live - this.#live);
    this.#live = live;
  }
}

/** The resident memory once it has come to rest, which may take `patience` milliseconds at most. */
export async function settledMegabytes({ processes }: Pick<Server, 'processes'>, patience: number): Promise<number> {
  const began = performance.now();
  let reference = residentBytes(processes);
  let since = began;
  for (;;) {
    await new Promise((wake) => setTimeout(wake, Math.min(interval, patience)));
    const now = performance.now();
    const resident = residentBytes(processes);
    if (Math.abs(resident - reference) > reference * steadyShare) {
      reference = resident;
      since = now;
    }
    if (now - since >= steadyFor || now - began >= patience) return resident / 1e6;
  }
}
