/** The output for the user at the terminal: a line for each step, and below it the observations on the way. */

export class Journal {
  readonly #write: (line: string) => void;
  readonly #began = performance.now();
  #seen = '';

  constructor(write: (line: string) => void = (line) => process.stdout.write(`${line}\n`)) {
    this.#write = write;
  }

  /** A part of the run, such as one API. */
  title(text: string): void {
    this.#write(`\n${text}`);
  }

  say(text: string): void {
    this.#seen = '';
    this.#write(`${this.#time()}  ${text}`);
  }

  /** An observed state; the same state is not printed twice in a row. */
  see(text: string): void {
    if (text === this.#seen) return;
    this.#seen = text;
    this.#write(`${this.#time()}    … ${text}`);
  }

  #time(): string {
    return `${((performance.now() - this.#began) / 1000).toFixed(1).padStart(7)} s`;
  }
}
