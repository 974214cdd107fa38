/** Measures the memory that objects take in the servers. */
import type { Figures } from './figures.ts';
import { residentBytes } from './processes.ts';
import type { Server } from './servers.ts';

const section = 'memory';
const interval = 500;
const steadyShare = 0.01;
const steadyFor = 4000;

/** `Memory` follows the memory of one server; each figure is the growth since the previous one. */
export class Memory {
  readonly #server: Server;
  readonly #figures: Figures;
  readonly #patience: number;
  #live = 0;

  /** `patience` is how long a server may take to settle, in milliseconds. */
  constructor(server: Server, figures: Figures, patience: number) {
    this.#server = server;
    this.#figures = figures;
    this.#patience = patience;
  }

  /** Adds the resident memory and, if the server can collect garbage on request, what remains after that. */
  async look(name: string): Promise<void> {
    this.#figures.add(section, `resident after ${name}`, 'MB', await settledMegabytes(this.#server, this.#patience));
    if (this.#server.collectGarbage === undefined) return;
    // Twice: objects that finalizers release in the first collection are freed by the second.
    await this.#server.collectGarbage();
    await this.#server.collectGarbage();
    const live = await settledMegabytes(this.#server, this.#patience);
    this.#figures.add(section, `growth by ${name}, collected`, 'MB', live - this.#live);
    this.#live = live;
  }
}

/** The resident memory after it has settled, which may take at most `patience` milliseconds. */
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
