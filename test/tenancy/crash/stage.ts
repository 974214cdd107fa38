/** Holds each of several VDCs or VMs at one step of the work on it, and records all writes. */
import { passing, type Director, type Fate, type Step } from './step.ts';

/**
 * Where the work on a subject is held: before the step is sent, or when it is done and before the replica gets the
 * answer.
 */
export interface Point {
  readonly at: number;
  readonly when: 'before' | 'after';
}

export interface Written {
  readonly replica: string;
  /** The name of the watched subject. */
  readonly subject: string;
  readonly text: string;
  /** Including query and body. */
  readonly content: string;
  /** Held until another replica had taken over. */
  readonly isLate: boolean;
  /** The cluster's status code; absent while there is no answer. */
  status?: number;
}

/** One VDC or VM in progress. */
export class Watched {
  readonly name: string;
  readonly point: Point | undefined;
  /** The ids of its rows. */
  readonly ids: Set<string>;
  /** Its steps by the watched replica. */
  readonly steps: string[] = [];
  #heldAt: string | undefined;
  readonly #release = Promise.withResolvers<boolean>();
  #isReleased = false;
  /**
   * The number of steps before the blow. It exceeds the number of the held step if the replica gave up waiting for that
   * step.
   */
  stepsAtBlow = 0;

  constructor(name: string, point: Point | undefined, ids: readonly string[] = []) {
    this.name = name;
    this.point = point;
    this.ids = new Set(ids);
  }

  /** The step that is or was held; undefined if it was not reached. */
  get heldAt(): string | undefined {
    return this.#heldAt;
  }

  get isReleased(): boolean {
    return this.#isReleased;
  }

  isIn({ content }: Step): boolean {
    return content.includes(this.name) || [...this.ids].some((id) => content.includes(id));
  }

  hold(text: string): Promise<boolean> {
    this.#heldAt = text;
    return this.#release.promise;
  }

  /** The held step continues, or is dropped. */
  release(goesOn: boolean): void {
    this.#isReleased = true;
    this.#release.resolve(goesOn);
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const claims = /reconciliations .*FOR UPDATE SKIP LOCKED/;
/** Statements about many subjects at once, which belong to no single attempt. */
const looks = /(?:entity_id|v\.id) = ANY/;
const makes = /^insert into "?(?:vdcs|vapps|vms|tasks|reconciliations)"?[ (]/i;

export class Stage implements Director {
  /** Ids that occur beside those of a watched subject when it is created. */
  readonly known = new Set<string>();
  readonly written: Written[] = [];
  /** The replica whose steps count. */
  #actor = '';
  #watched: readonly Watched[] = [];
  #transactions = new WeakMap<object, Watched | null>();
  readonly #claiming = new Map<string, PromiseWithResolvers<void>>();

  /** From now on, counts the steps of this replica for these subjects. */
  watch(actor: string, watched: readonly Watched[]): void {
    this.#actor = actor;
    this.#watched = watched;
    this.#transactions = new WeakMap();
    this.written.length = 0;
  }

  /** The replica gets no claims until `letClaim`. */
  keepFromClaiming(replica: string): void {
    if (!this.#claiming.has(replica)) this.#claiming.set(replica, Promise.withResolvers());
  }

  letClaim(replica: string): void {
    this.#claiming.get(replica)?.resolve();
    this.#claiming.delete(replica);
  }

  fateOf(step: Step): Fate {
    if (step.place === 'database' && claims.test(step.text)) return this.#claimFate(step);
    const watched = this.#watchedOf(step);
    if (watched === undefined) return passing;
    const fate = step.replica === this.#actor ? this.#fateAt(step, watched) : passing;
    if (step.place === 'database') return fate;
    let written: Written | undefined;
    return {
      send: async () => {
        const isSent = await fate.send();
        const isLate = watched.isReleased && fate !== passing;
        const { replica, text, content } = step;
        written = { replica, subject: watched.name, text, content, isLate };
        if (isSent) this.written.push(written);
        return isSent;
      },
      tell: (status) => {
        if (written !== undefined && status !== undefined) written.status = status;
        return fate.tell();
      },
    };
  }

  #claimFate({ replica }: Step): Fate {
    return {
      send: async () => {
        for (let gate = this.#claiming.get(replica); gate !== undefined; gate = this.#claiming.get(replica))
          await gate.promise;
        return true;
      },
      tell: () => Promise.resolve(),
    };
  }

  #fateAt({ text }: Step, watched: Watched): Fate {
    // After the blow, all further steps, including the cleanup, do not count.
    if (watched.isReleased) return passing;
    watched.steps.push(text);
    const { point } = watched;
    if (point === undefined || watched.steps.length !== point.at) return passing;
    if (point.when === 'before') return { send: () => watched.hold(text), tell: passing.tell };
    return { send: passing.send, tell: async () => void (await watched.hold(text)) };
  }

  #watchedOf(step: Step): Watched | undefined {
    const { connection, text } = step;
    if (connection === undefined) return this.#watched.find((one) => one.isIn(step));
    if (/^begin/i.test(text)) {
      this.#transactions.set(connection, null);
      return undefined;
    }
    // In the transaction of an attempt, it is a step of that attempt.
    if (looks.test(text)) return this.#transactions.get(connection) ?? undefined;
    const named = this.#watched.find((one) => one.isIn(step));
    if (named !== undefined) {
      if (this.#transactions.has(connection)) this.#transactions.set(connection, named);
      if (makes.test(text)) this.#learn(named, step);
      return named;
    }
    const found = this.#transactions.get(connection) ?? undefined;
    if (/^(?:commit|rollback)/i.test(text)) this.#transactions.delete(connection);
    return found;
  }

  #learn(watched: Watched, { content }: Step): void {
    for (const id of content.match(uuid) ?? []) if (!this.known.has(id)) watched.ids.add(id);
  }
}
