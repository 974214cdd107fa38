/**
 * A handler that checks each event against the previous one, and records what it saw for the comparison with the
 * history.
 */
import assert from 'node:assert/strict';
import type { Handler, Projected } from '../../../packages/kube/src/informer/informer.ts';
import { compareResourceVersions } from '../../../packages/kube/src/resource-version.ts';
import type { History } from './history.ts';

export interface WitnessOptions {
  readonly name: string;
  /** Sees only objects that match the selector. */
  readonly selects?: boolean;
  /** Called in the handler after it has recorded the event: a slow one waits here, a bad one throws. */
  readonly behave?: () => void | Promise<void>;
}

interface Seen {
  readonly uid: string;
  readonly resourceVersion: string;
}

export class Witness implements Handler<Projected> {
  readonly name: string;
  readonly #options: WitnessOptions;
  /** Versions of each uid, in the order in which they were seen. */
  readonly #versions = new Map<string, string[]>();
  readonly #now = new Map<string, Seen>();
  readonly complaints: string[] = [];
  events = 0;

  constructor(options: WitnessOptions) {
    this.name = options.name;
    this.#options = options;
  }

  added(object: Projected): void | Promise<void> {
    const last = this.#now.get(keyOf(object));
    if (last !== undefined) this.#complain('added, but it was there', object, last);
    this.#see(object);
    return this.#options.behave?.();
  }

  updated(before: Projected, after: Projected, { resync }: { readonly resync: boolean }): void | Promise<void> {
    const last = this.#now.get(keyOf(after));
    if (last === undefined) this.#complain('updated, but it was not there', after, last);
    else if (last.resourceVersion !== before.metadata.resourceVersion)
      this.#complain(
        `updated from ${before.metadata.resourceVersion}, which was not the last that it saw`,
        after,
        last,
      );
    if (!resync) this.#see(after);
    return this.#options.behave?.();
  }

  deleted(object: Projected): void | Promise<void> {
    const last = this.#now.get(keyOf(object));
    if (last === undefined) this.#complain('deleted, but it was not there', object, last);
    else if (last.uid !== object.metadata.uid) this.#complain('deleted another of that name', object, last);
    else if (compareResourceVersions(object.metadata.resourceVersion, last.resourceVersion) === -1)
      this.#complain('deleted in a state older than the last', object, last);
    this.#now.delete(keyOf(object));
    this.events++;
    return this.#options.behave?.();
  }

  /** The existing objects, as far as this handler knows. */
  get present(): string[] {
    return [...this.#now].map(([key, { uid, resourceVersion }]) => `${key} ${uid} ${resourceVersion}`).sort();
  }

  /** Throws unless the states of each object are a subsequence of its history. */
  verify({ lives }: History): void {
    assert.deepEqual(this.complaints, [], `${this.name} was told what cannot be`);
    for (const [uid, versions] of this.#versions) {
      const life = lives.get(uid);
      assert.ok(life, `${this.name} saw an object of uid ${uid} that nobody made`);
      const happened = life.states
        .filter(({ selected }) => selected || this.#options.selects !== true)
        .map(({ resourceVersion }) => resourceVersion);
      let from = 0;
      for (const version of versions) {
        const at = happened.indexOf(version, from);
        assert.ok(at >= 0, `${this.name} saw ${versions.join(' ')} of ${life.name}, which was ${happened.join(' ')}`);
        from = at + 1;
      }
    }
  }

  #see({ metadata: { name = '', namespace, uid = '', resourceVersion = '' } }: Projected): void {
    this.#now.set(`${namespace}/${name}`, { uid, resourceVersion });
    const versions = this.#versions.get(uid) ?? [];
    versions.push(resourceVersion);
    this.#versions.set(uid, versions);
    this.events++;
  }

  #complain(what: string, { metadata }: Projected, last: Seen | undefined): void {
    this.complaints.push(
      `${what}: ${JSON.stringify({ ...metadata, managedFields: undefined })}, last ${JSON.stringify(last)}`,
    );
  }
}

function keyOf({ metadata: { namespace, name } }: Projected): string {
  return `${namespace}/${name}`;
}
