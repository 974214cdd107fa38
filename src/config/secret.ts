/** A secret that no log line, error text or JSON gives away by accident: whoever needs it says so by calling reveal. */
import { inspect } from 'node:util';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '<set>';
  }

  toJSON(): string {
    return '<set>';
  }

  [inspect.custom](): string {
    return '<set>';
  }
}
