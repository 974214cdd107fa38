/**
 * The newest Event of each PersistentVolumeClaim that gets no volume. There are few: an Event expires after an hour,
 * and most claims get a volume at once.
 */
import type { ClaimEventFacts } from '../../../kubevirt/facts/claim-event.ts';

interface NewestEvent extends ClaimEventFacts {
  /** The key of the Event. */
  readonly event: string;
}

export class ClaimEvents {
  readonly #newest = new Map<string, NewestEvent>();
  readonly #claims = new Map<string, string>();

  /** By the key of the claim. */
  of(claim: string): ClaimEventFacts | undefined {
    return this.#newest.get(claim);
  }

  /** Returns whether the text about the claim has changed. */
  put(event: string, namespace: string, facts: ClaimEventFacts): boolean {
    const claim = `${namespace}/${facts.claim}`;
    const before = this.#newest.get(claim);
    if (before !== undefined && before.at > facts.at) return false;
    if (before !== undefined) this.#claims.delete(before.event);
    this.#newest.set(claim, { ...facts, event });
    this.#claims.set(event, claim);
    return before?.message !== facts.message;
  }

  forget(event: string): void {
    const claim = this.#claims.get(event);
    if (claim === undefined) return;
    this.#claims.delete(event);
    this.#newest.delete(claim);
  }
}
