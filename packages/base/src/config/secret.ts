/**
 * `Secret` holds a value that no log line, error text or JSON reveals by accident: code that needs it must call
 * `reveal`.
 */
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
