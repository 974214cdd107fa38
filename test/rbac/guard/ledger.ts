/** What was asked in the name of an account, and which rights it took. */
import type { Attributes } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';
import { titleOf } from '../right.ts';

export interface Refused {
  readonly text: string;
  /** Undefined where what stands behind the server has refused it. */
  readonly asked?: Attributes;
}

export class Ledger {
  readonly #authorizer: Authorizer;
  readonly #needed = new Set<string>();
  readonly #refused: Refused[] = [];
  readonly #told: () => void;

  constructor(authorizer: Authorizer, refused: () => void = () => undefined) {
    this.#authorizer = authorizer;
    this.#told = refused;
  }

  /** Titles of the rights without which something that was asked for would have been refused. */
  get needed(): ReadonlySet<string> {
    return this.#needed;
  }

  get refused(): readonly Refused[] {
    return this.#refused;
  }

  /** Where several rights allow it, none of them is needed for it. */
  allows(asked: Attributes): boolean {
    const allowing = this.#authorizer.allowing(asked);
    const [first] = allowing;
    if (first === undefined) this.refuse(textOf(asked), asked);
    else if (allowing.length === 1) this.#needed.add(titleOf(first));
    return first !== undefined;
  }

  refuse(text: string, asked?: Attributes): void {
    this.#refused.push(asked === undefined ? { text } : { text, asked });
    this.#told();
  }
}

function textOf({ verb, group, resource, namespace, name }: Attributes): string {
  const what = `${verb} ${group === '' ? resource : `${resource} of ${group}`}`;
  return [what, name === undefined ? '' : ` "${name}"`, namespace === undefined ? '' : ` in ${namespace}`].join('');
}
