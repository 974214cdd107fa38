/**
 * Own writes against a model: a server with a history, a watch that lags, responses to own writes in any order and at
 * any time, and lists that lag behind the newest version, but never behind the watch. In every order, a read is never
 * older than an own write with a response, handlers see a subsequence of the history, and in the end the cache equals
 * the server.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KubeObject } from '../object.ts';
import { Partition } from './partition.ts';
import { Store } from './store.ts';

type Thing = KubeObject;

interface Change {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: Thing;
}

/** An own write whose response is in flight. */
interface Answer {
  readonly promises: (world: World) => void;
  readonly deliver: (partition: Partition<Thing>) => void;
}

const versionOf = ({ metadata }: Thing): number => Number(metadata.resourceVersion);

class Server {
  readonly history: Change[] = [];
  readonly objects = new Map<string, Thing>();
  version = 100;
  #uids = 0;

  write(name: string): Change {
    const before = this.objects.get(name);
    const uid = before?.metadata.uid ?? `u${++this.#uids}`;
    const object: Thing = { metadata: { name, uid, resourceVersion: String(++this.version) } };
    this.objects.set(name, object);
    return this.#record({ version: this.version, type: before === undefined ? 'ADDED' : 'MODIFIED', object });
  }

  remove(name: string): Change | undefined {
    const before = this.objects.get(name);
    if (before === undefined) return undefined;
    this.objects.delete(name);
    const object: Thing = { metadata: { ...before.metadata, resourceVersion: String(++this.version) } };
    return this.#record({ version: this.version, type: 'DELETED', object });
  }

  /** All objects at that version. */
  at(version: number): Map<string, Thing> {
    const objects = new Map<string, Thing>();
    for (const { version: when, type, object } of this.history) {
      if (when > version) break;
      if (type === 'DELETED') objects.delete(object.metadata.name ?? '');
      else objects.set(object.metadata.name ?? '', object);
    }
    return objects;
  }

  #record(change: Change): Change {
    this.history.push(change);
    return change;
  }
}

class World {
  readonly server = new Server();
  readonly store = new Store<Thing>();
  readonly seen = new Map<string, string[]>();
  readonly answers: Answer[] = [];
  /** The newest own write with a response, by name. */
  readonly promised = new Map<string, number>();
  /** The uids whose deletion has a response. */
  readonly hidden = new Set<string>();
  readonly partition: Partition<Thing>;
  #position = 100;

  constructor(listed: boolean) {
    this.partition = new Partition<Thing>(this.store, undefined, (event) => {
      const object = event.type === 'updated' ? event.after : event.object;
      const states = this.seen.get(object.metadata.name ?? '') ?? [];
      this.seen.set(object.metadata.name ?? '', states);
      states.push(`${event.type === 'deleted' ? '-' : '+'}${object.metadata.uid}@${object.metadata.resourceVersion}`);
    });
    if (listed) this.list(0);
  }

  ownWrite(name: string): void {
    const { version, object } = this.server.write(name);
    const promises = ({ promised }: World): void => void promised.set(name, Math.max(version, promised.get(name) ?? 0));
    this.answers.push({ promises, deliver: (partition) => partition.written(object) });
  }

  ownDelete(name: string): void {
    const change = this.server.remove(name);
    if (change === undefined) return;
    const uid = change.object.metadata.uid ?? '';
    const promises = ({ hidden }: World): void => void hidden.add(uid);
    this.answers.push({ promises, deliver: (partition) => partition.deleted(name, uid) });
  }

  answer(which: number): void {
    const [answer] = this.answers.splice(which % Math.max(1, this.answers.length), 1);
    if (answer === undefined) return;
    answer.deliver(this.partition);
    answer.promises(this);
  }

  /** The watch delivers the next few changes. */
  watch(count: number): void {
    if (!this.partition.synced) this.list(0);
    const next = this.server.history.filter(({ version }) => version > this.#position).slice(0, count);
    for (const { version, type, object } of next) {
      this.partition.apply(type, object);
      this.partition.advance(String(version));
      this.#position = version;
    }
  }

  bookmark(): void {
    if (!this.partition.synced) return;
    const last = this.server.history.findLast(({ version }) => version <= this.#position);
    if (last !== undefined) this.partition.advance(String(this.#position));
  }

  /** A list that lags by `lag` versions, but not behind the watch. */
  list(lag: number): void {
    const version = Math.max(this.#position, this.server.version - lag);
    this.partition.replace(this.server.at(version), { resourceVersion: String(version), backwards: false }, new Set());
    this.#position = version;
  }

  /** Reads are never older than an own write with a response: the object is the same, newer, or deleted after it. */
  checkReads(): void {
    for (const { metadata } of this.store.list())
      assert.ok(!this.hidden.has(metadata.uid ?? ''), `${metadata.name} was deleted, and shows`);
    for (const [name, promised] of this.promised) {
      const read = this.store.get(name);
      if (read !== undefined) {
        assert.ok(versionOf(read) >= promised, `${name} is at ${versionOf(read)}, and ${promised} was written`);
        continue;
      }
      const gone = this.server.history.some(
        ({ type, object, version }) => type === 'DELETED' && object.metadata.name === name && version >= promised,
      );
      assert.ok(gone, `${name} is not there, and ${promised} was written`);
    }
  }

  checkEnd(): void {
    while (this.answers.length > 0) this.answer(0);
    this.watch(Number.POSITIVE_INFINITY);
    const versions = (objects: Iterable<Thing>): readonly string[] =>
      [...objects].map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).sort();
    assert.deepEqual(versions(this.store.list()), versions(this.server.objects.values()));
    this.list(0);
    assert.deepEqual(versions(this.store.list()), versions(this.server.objects.values()));
    for (const [name, states] of this.seen) checkSubsequence(name, states, this.server.history);
  }
}

/** Versions only grow, each state was one of the server's, and no object is deleted twice or without being added. */
function checkSubsequence(name: string, states: readonly string[], history: readonly Change[]): void {
  const truth = new Set(
    history.map(({ object }) => `${object.metadata.name}/${object.metadata.uid}@${object.metadata.resourceVersion}`),
  );
  let last = 0;
  let living: string | undefined;
  for (const state of states) {
    const [uid = '', version = ''] = state.slice(1).split('@');
    assert.ok(truth.has(`${name}/${uid}@${version}`), `${state} of ${name} was never so`);
    assert.ok(Number(version) >= last, `${name} went back: ${states.join(' ')}`);
    last = Number(version);
    if (state.startsWith('-')) {
      assert.equal(living, uid, `${name}: ${states.join(' ')}`);
      living = undefined;
    } else {
      assert.ok(living === undefined || living === uid, `${name} changed its uid: ${states.join(' ')}`);
      living = uid;
    }
  }
}

const names = fc.constantFrom('a', 'b', 'c');
const steps = fc.oneof(
  { weight: 3, arbitrary: names.map((name) => (world: World) => void world.server.write(name)) },
  { weight: 2, arbitrary: names.map((name) => (world: World) => void world.server.remove(name)) },
  { weight: 4, arbitrary: names.map((name) => (world: World) => world.ownWrite(name)) },
  { weight: 2, arbitrary: names.map((name) => (world: World) => world.ownDelete(name)) },
  { weight: 5, arbitrary: fc.nat(5).map((which) => (world: World) => world.answer(which)) },
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 4 }).map((count) => (world: World) => world.watch(count)) },
  { weight: 1, arbitrary: fc.constant((world: World) => world.bookmark()) },
  { weight: 2, arbitrary: fc.nat(6).map((lag) => (world: World) => world.list(lag)) },
);

test('I9: in any order of writes, answers, events and lists no read goes back behind an own write, and all ends well', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(steps, { minLength: 1, maxLength: 60, size: 'max' }), (listed, history) => {
      const world = new World(listed);
      for (const step of history) {
        step(world);
        world.checkReads();
      }
      world.checkEnd();
    }),
    { numRuns: 10_000 },
  );
});
