/**
 * What was asked in the name of an account that begins without rights, and which right of its files was missed when the server refused it. That one is granted then, so
 * that each right is known to be missed where it is not there, and none is granted that nobody misses.
 */
import { titleOf, type Right } from '../right.ts';
import type { Attributes } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';

export interface Refused {
  readonly text: string;
  /** What was asked for without a right; undefined where it was refused for another reason. */
  readonly asked?: Attributes;
}

export class Ledger {
  readonly #authorizer: Authorizer;
  /** Those whose grant is on its way to the server, and those that it knows. */
  readonly #begun = new Set<string>();
  readonly #granted = new Set<string>();
  readonly #missed = new Set<string>();
  readonly #refusals: Refused[] = [];
  readonly #surprises: string[] = [];
  readonly #told: () => void;

  constructor(authorizer: Authorizer, told: () => void = () => undefined) {
    this.#authorizer = authorizer;
    this.#told = told;
  }

  /** Titles of the rights for want of which the server refused something, where no other right would have done. */
  get missed(): ReadonlySet<string> {
    return this.#missed;
  }

  /** What was refused, and no right would have helped. */
  get refusals(): readonly Refused[] {
    return this.#refusals;
  }

  /** What the server allowed although no right for it was granted. */
  get surprises(): readonly string[] {
    return this.#surprises;
  }

  /** Whether some right of the files would allow it. */
  couldAllow(asked: Attributes): boolean {
    return this.#authorizer.allowing(asked).length > 0;
  }

  /** The account has bound a ClusterRole in a namespace. */
  bound(role: string, namespace: string): void {
    this.#authorizer.bound(role, namespace);
  }

  granting(right: Right): void {
    this.#begun.add(titleOf(right));
  }

  granted(right: Right): void {
    this.#granted.add(titleOf(right));
  }

  isGranted(right: Right): boolean {
    return this.#granted.has(titleOf(right));
  }

  /** For which of them no right is granted yet. */
  missing(all: readonly Attributes[]): readonly Attributes[] {
    return this.#without(all, this.#granted);
  }

  #without(all: readonly Attributes[], rights: ReadonlySet<string>): readonly Attributes[] {
    return all.filter(
      (asked) =>
        !this.#authorizer.isForEverybody(asked) &&
        !this.#authorizer.allowing(asked).some((right) => rights.has(titleOf(right))),
    );
  }

  /** The server has refused it: the right to grant, if there is one; the narrowest, so that a wider one is still missed by others. */
  refused(asked: Attributes): Right | undefined {
    const [first, ...others] = this.#authorizer.allowing(asked).toSorted(byWidth);
    if (first === undefined) this.refusedForGood(textOf(asked), asked);
    else if (others.length === 0) this.#missed.add(titleOf(first));
    return first;
  }

  refusedForGood(text: string, asked?: Attributes): void {
    this.#refusals.push(asked === undefined ? { text } : { text, asked });
    this.#told();
  }

  allowed(all: readonly Attributes[]): void {
    for (const asked of this.#without(all, this.#begun)) this.#surprises.push(textOf(asked));
  }
}

const byWidth = (one: Right, other: Right): number => Number(one.name === undefined) - Number(other.name === undefined);

function textOf({ verb, group, resource, namespace, name }: Attributes): string {
  const what = `${verb} ${group === '' ? resource : `${resource} of ${group}`}`;
  return [what, name === undefined ? '' : ` "${name}"`, namespace === undefined ? '' : ` in ${namespace}`].join('');
}
