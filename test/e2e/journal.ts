/** What the person at the terminal reads: a line for each step, and below it what was seen on the way. */

export class Journal {
  readonly #write: (line: string) => void;
  readonly #began = performance.now();
  #seen = '';

  constructor(write: (line: string) => void = (line) => process.stdout.write(`${line}\n`)) {
    this.#write = write;
  }

  /** A part of the run, such as a door. */
  title(text: string): void {
    this.#write(`\n${text}`);
  }

  say(text: string): void {
    this.#seen = '';
    this.#write(`${this.#time()}  ${text}`);
  }

  /** What something looks like now; the same is not said twice in a row. */
  see(text: string): void {
    if (text === this.#seen) return;
    this.#seen = text;
    this.#write(`${this.#time()}    … ${text}`);
  }

  #time(): string {
    return `${((performance.now() - this.#began) / 1000).toFixed(1).padStart(7)} s`;
  }
}
