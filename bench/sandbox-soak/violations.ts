/** The violations that were found. Each is printed at once, since a long run may be stopped by hand. */
const SHOWN = 50;

export class Violations {
  readonly all: string[] = [];
  readonly #say: (text: string) => void;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  add(text: string): void {
    this.all.push(text);
    if (this.all.length <= SHOWN) this.#say(`VIOLATION  ${text}`);
    if (this.all.length === SHOWN) this.#say('further violations are only counted');
  }
}
