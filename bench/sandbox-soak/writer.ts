/** A client that writes to its own objects and to some that all writers share, and knows the expected state. */
import type { KubeObject } from '../../packages/sandbox/src/values/json.ts';
import { Dice } from '../../test/conformance/dice.ts';
import { Caller, type Outcome } from './caller.ts';
import { kinds, namespaces } from './kinds.ts';
import { playScene } from './scenes.ts';
import { Subject, type Write } from './subject.ts';
import { pause, type World } from './world.ts';

const ownObjects = 24;
const sharedObjects = 4;
const managers = ['a', 'b', 'c'];

export const sharedName = (index: number): string => `shared-${index}`;

export class Writer {
  readonly #world: World;
  readonly #id: number;
  readonly #dice: Dice;
  readonly #caller: Caller;
  readonly #own: readonly Subject[];
  readonly #shared: readonly Subject[];
  #value = 0;

  constructor(world: World, id: number) {
    this.#world = world;
    this.#id = id;
    this.#dice = new Dice(world.dice.below(1e9));
    this.#caller = new Caller(world);
    this.#own = subjects(ownObjects, (index) => `own-${id}-${index}`);
    this.#shared = subjects(sharedObjects, sharedName);
  }

  get subjects(): readonly Subject[] {
    return [...this.#own, ...this.#shared];
  }

  /** The first writer creates the shared objects before there are faults; the others learn of them here. */
  async prepare(): Promise<void> {
    for (const subject of this.#shared) {
      const write = this.#id === 0 ? subject.create('0', false) : undefined;
      if (write !== undefined) await this.#caller.send(write.call, write.expected);
      // This writer does not track what the others write.
      subject.belief.acknowledge((model) => ({ ...model, exists: true }), undefined);
    }
  }

  async run(): Promise<void> {
    const world = this.#world;
    while (!world.finishing) {
      if (this.#dice.chance(0.003)) await playScene(world, this.#caller, this.#dice, `${this.#id}-${this.#value++}`);
      else await world.writing.step(() => this.#step());
      await pause(this.#dice.below(20));
    }
    this.#caller.close();
  }

  async #step(): Promise<void> {
    const shared = this.#dice.chance(0.25);
    const subject = this.#dice.pick(shared ? this.#shared : this.#own);
    if (subject.quarantined) return;
    if (subject.belief.model === undefined) {
      await this.#find(subject);
      return;
    }
    const write = shared ? this.#toShared(subject) : await this.#toOwn(subject);
    if (write !== undefined) await this.#perform(subject, write);
  }

  #toShared(subject: Subject): Write {
    const value = String(this.#value++);
    return this.#dice.chance(0.5)
      ? subject.apply(`writer-${this.#id}`, value)
      : subject.merge(`merge-${this.#id}`, value);
  }

  async #toOwn(subject: Subject): Promise<Write | undefined> {
    const model = subject.belief.model;
    const round = this.#value++;
    const value = String(round);
    if (model?.exists !== true) return subject.create(value, this.#dice.chance(0.2));
    if (model.leaving) return this.#dice.chance(0.5) ? subject.hold(false) : subject.merge('merge', value);
    const choice = this.#dice.below(10);
    if (choice < 3) return subject.merge('merge', value);
    if (choice < 5) return subject.apply(this.#dice.pick(managers), value);
    if (choice < 7 && subject.kind.status !== undefined) return subject.status(round);
    if (choice < 8) return this.#update(subject, value);
    if (choice < 9) return subject.hold(!model.held);
    return subject.delete();
  }

  async #update(subject: Subject, value: string): Promise<Write | undefined> {
    const object = await this.#find(subject);
    return object === undefined ? undefined : subject.update(object, value, false);
  }

  async #perform(subject: Subject, write: Write): Promise<void> {
    const outcome = await this.#caller.send(write.call, write.expected);
    switch (outcome.is) {
      case 'answer':
        this.#acknowledged(subject, write, outcome);
        return;
      case 'cut':
      case 'late':
        this.#world.counts.inDoubt++;
        subject.belief.doubt(write.change);
        subject.quarantined = outcome.is === 'late';
        return;
      case 'refused':
      case 'unsent':
    }
  }

  #acknowledged(subject: Subject, write: Write, { status, body }: Outcome & { is: 'answer' }): void {
    if (status === 409) return;
    this.#world.counts.acknowledged++;
    const object = body['kind'] === subject.kind.kind ? (body as KubeObject) : undefined;
    const complaint = subject.belief.acknowledge(write.change, object);
    if (complaint !== undefined) {
      const answer = `${write.call.method} ${write.call.path} was answered with ${status}`;
      this.#world.violations.add(`${answer}, but in that answer ${complaint}`);
    }
    // An object that this write removed is answered with its last state.
    if (subject.belief.model?.exists === true)
      this.#world.revision = Math.max(this.#world.revision, Number(object?.metadata.resourceVersion ?? 0));
  }

  /** Reads the object to find out the outcome of a write that was cut off. */
  async #find(subject: Subject): Promise<KubeObject | undefined> {
    const outcome = await this.#caller.send({ method: 'GET', path: subject.path }, [200, 404]);
    if (outcome.is !== 'answer') return undefined;
    const object = outcome.status === 200 ? (outcome.body as KubeObject) : undefined;
    const complaint = subject.belief.settle(object);
    if (complaint !== undefined) this.#world.violations.add(`${subject.key} as it was read: ${complaint}`);
    return object;
  }
}

function subjects(count: number, name: (index: number) => string): Subject[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = kinds[index % kinds.length] as (typeof kinds)[number];
    const namespace = namespaces[Math.floor(index / kinds.length) % namespaces.length] as string;
    return new Subject(kind, namespace, name(index), index);
  });
}
