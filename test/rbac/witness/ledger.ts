/**
 * The requests of an account that begins without rights, and the right of its files that each refusal showed to be
 * missing. That right is granted then, so each granted right is known to be needed.
 */
import { titleOf, type Right } from '../right.ts';
import type { Attributes } from './attributes.ts';
import type { Authorizer } from './authorizer.ts';

export interface Refused {
  readonly text: string;
  /** The right that a request lacked; undefined if it was refused for another reason. */
  readonly asked?: Attributes;
}

export class Ledger {
  readonly #authorizer: Authorizer;
  /** Rights whose grant is on its way to the server, and those that it knows. */
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

  /** Titles of the rights whose absence made the server refuse a request that no other right allowed. */
  get missed(): ReadonlySet<string> {
    return this.#missed;
  }

  /** Refused requests that no right would have allowed. */
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

  /** Those for which no right is granted yet. */
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

  /**
   * The right to grant after a refusal, if there is one; the narrowest, so that other requests can still show that a
   * wider one is needed.
   */
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
