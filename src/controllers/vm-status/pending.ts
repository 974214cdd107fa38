/**
 * What is to be written: keys, never values. The value is derived when it is written, from what is known by then, so a machine that changes ten times
 * while the database is slow is written once, and what waits is never more than there are machines.
 */
import { Gate } from './gate.ts';

export interface Mark {
  readonly cluster: string;
  /** `namespace/name` */
  readonly key: string;
  /** When the first of the changes that are to be written was seen; undefined where nothing happened (a resync, a new leader). */
  readonly seenAt: number | undefined;
}

export interface GoneMark extends Mark {
  readonly uid: string;
}

/** The key is that of a template instance. */
export interface VappMark extends Mark {
  readonly isVapp: true;
}

export interface Taken {
  readonly machines: readonly Mark[];
  readonly gone: readonly GoneMark[];
  readonly vapps: readonly VappMark[];
}

class Marks<M extends Mark> {
  readonly #idOf: (mark: M) => string;
  readonly #marks = new Map<string, M>();

  constructor(idOf: (mark: M) => string) {
    this.#idOf = idOf;
  }

  get size(): number {
    return this.#marks.size;
  }

  values(): IterableIterator<M> {
    return this.#marks.values();
  }

  /** The one that waits longer stays: its change was seen first. */
  add(mark: M): void {
    const id = this.#idOf(mark);
    const waiting = this.#marks.get(id);
    if (waiting?.seenAt === undefined || (mark.seenAt ?? Infinity) < waiting.seenAt) this.#marks.set(id, mark);
  }

  take(limit: number): readonly M[] {
    const taken: M[] = [];
    for (const [id, mark] of this.#marks) {
      if (taken.length >= limit) break;
      this.#marks.delete(id);
      taken.push(mark);
    }
    return taken;
  }

  clear(): void {
    this.#marks.clear();
  }

  forget(cluster: string): void {
    for (const [id, mark] of this.#marks) if (mark.cluster === cluster) this.#marks.delete(id);
  }
}

const idOf = ({ cluster, key }: Mark): string => `${cluster} ${key}`;

export class Pending {
  readonly #machines = new Marks<Mark>(idOf);
  readonly #gone = new Marks<GoneMark>(({ cluster, uid }) => `${cluster} ${uid}`);
  readonly #vapps = new Marks<VappMark>(idOf);
  readonly #work = new Gate();
  #underWay: readonly Mark[] = [];
  #othersUnderWay: readonly Mark[] = [];
  #open = false;

  /** Nothing is collected before: a standby has nothing to write, and whoever begins to lead marks everything. */
  open(): void {
    this.#open = true;
  }

  get size(): number {
    return this.#machines.size + this.#gone.size + this.#vapps.size;
  }

  machine(cluster: string, key: string, seenAt?: number): void {
    this.#add(this.#machines, { cluster, key, seenAt });
  }

  gone(cluster: string, key: string, uid: string, seenAt?: number): void {
    this.#add(this.#gone, { cluster, key, uid, seenAt });
  }

  vapp(cluster: string, key: string, seenAt?: number): void {
    this.#add<VappMark>(this.#vapps, { cluster, key, seenAt, isVapp: true });
  }

  take(limit: number): Taken {
    const gone = this.#gone.take(limit);
    const machines = this.#machines.take(Math.max(1, limit - gone.length));
    const vapps = this.#vapps.take(limit);
    this.#underWay = machines;
    this.#othersUnderWay = [...gone, ...vapps];
    if (this.size === 0) this.#work.close();
    return { machines, gone, vapps };
  }

  /** Machines that were taken and whose fate is not known yet: what the database answers for them may be from before a change that is told now. */
  underWay(): readonly Mark[] {
    return this.#underWay;
  }

  /** What was taken is written, or given back. */
  settled(): void {
    this.#underWay = [];
    this.#othersUnderWay = [];
  }

  /** They could not be written. */
  giveBack({ machines, gone, vapps }: Taken): void {
    for (const mark of machines) this.#add(this.#machines, mark);
    for (const mark of gone) this.#add(this.#gone, mark);
    for (const mark of vapps) this.#add(this.#vapps, mark);
  }

  /** The cluster has left: nothing can be derived any more. That something of it is gone stays true. */
  forget(cluster: string): void {
    this.#machines.forget(cluster);
    this.#vapps.forget(cluster);
  }

  /** Whether something of the cluster waits that was known by then. */
  waits(cluster: string, by: number): boolean {
    for (const marks of [this.#gone, this.#machines, this.#vapps])
      for (const mark of marks.values()) if (mark.cluster === cluster && (mark.seenAt ?? by) <= by) return true;
    return false;
  }

  /** Whether all of the cluster that was seen by then is in the database. What is only compared again is not waited for. */
  isWritten(cluster: string, by: number): boolean {
    return !this.#some((mark) => mark.cluster === cluster && (mark.seenAt ?? Infinity) <= by);
  }

  /** Whether nothing of the cluster waits to be compared with its row: for one who has just begun to write, that nothing happened before unseen. */
  isCompared(cluster: string): boolean {
    return !this.#some((mark) => mark.cluster === cluster && mark.seenAt === undefined);
  }

  #some(waits: (mark: Mark) => boolean): boolean {
    for (const marks of [this.#gone, this.#machines, this.#vapps])
      for (const mark of marks.values()) if (waits(mark)) return true;
    return this.#underWay.some(waits) || this.#othersUnderWay.some(waits);
  }

  /** Resolves when there is something, or the signal is aborted. */
  work(signal: AbortSignal): Promise<void> {
    return this.#work.wait(signal);
  }

  #add<M extends Mark>(marks: Marks<M>, mark: M): void {
    if (!this.#open) return;
    marks.add(mark);
    this.#work.open();
  }
}
