/**
 * `Pending` collects what is to be written: keys, never values. The value is derived at the moment of writing, from
 * what is known by then. So a VM that changes ten times while the database is slow is written once, and there are never
 * more entries than VMs.
 */
import { Gate } from '../gate.ts';

export interface Mark {
  readonly cluster: string;
  /** `namespace/name` */
  readonly key: string;
  /** When the first of the pending changes was seen; undefined if nothing changed (a resync, a new leader). */
  readonly seenAt: number | undefined;
}

export interface GoneMark extends Mark {
  readonly uid: string;
}

/** `VappMark` is the key of a TemplateInstance. */
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

  /** The earlier mark stays, because its change was seen first. */
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

  /** Starts collecting. Before that a standby has nothing to write, and a new leader marks everything. */
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

  /**
   * VMs that were taken and whose result is not known yet. The database's answer for them may predate a change that is
   * reported now.
   */
  underWay(): readonly Mark[] {
    return this.#underWay;
  }

  /** Call it when what was taken has been written or given back. */
  settled(): void {
    this.#underWay = [];
    this.#othersUnderWay = [];
  }

  /** Puts back what could not be written. */
  giveBack({ machines, gone, vapps }: Taken): void {
    for (const mark of machines) this.#add(this.#machines, mark);
    for (const mark of gone) this.#add(this.#gone, mark);
    for (const mark of vapps) this.#add(this.#vapps, mark);
  }

  /** The cluster has left: values can no longer be derived. Deletions remain true. */
  forget(cluster: string): void {
    this.#machines.forget(cluster);
    this.#vapps.forget(cluster);
  }

  /** Whether something of the cluster that was known by then is pending. */
  waits(cluster: string, by: number): boolean {
    for (const marks of [this.#gone, this.#machines, this.#vapps])
      for (const mark of marks.values()) if (mark.cluster === cluster && (mark.seenAt ?? by) <= by) return true;
    return false;
  }

  /** Whether everything seen in the cluster by then is in the database. Marks without a change are ignored. */
  isWritten(cluster: string, by: number): boolean {
    return !this.#some((mark) => mark.cluster === cluster && (mark.seenAt ?? Infinity) <= by);
  }

  /**
   * Whether all marks of the cluster without a change have been compared with their rows. For a new leader this means
   * that it has missed no earlier change.
   */
  isCompared(cluster: string): boolean {
    return !this.#some((mark) => mark.cluster === cluster && mark.seenAt === undefined);
  }

  #some(waits: (mark: Mark) => boolean): boolean {
    for (const marks of [this.#gone, this.#machines, this.#vapps])
      for (const mark of marks.values()) if (waits(mark)) return true;
    return this.#underWay.some(waits) || this.#othersUnderWay.some(waits);
  }

  /** Resolves when something is pending or the signal is aborted. */
  work(signal: AbortSignal): Promise<void> {
    return this.#work.wait(signal);
  }

  #add<M extends Mark>(marks: Marks<M>, mark: M): void {
    if (!this.#open) return;
    marks.add(mark);
    this.#work.open();
  }
}
