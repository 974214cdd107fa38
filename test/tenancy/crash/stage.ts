/** Holds each of several virtual data centers at one step of the work on it, and keeps a log of all writes. */
import { passing, type Director, type Fate, type Step } from './step.ts';

/** Where the work on one virtual data center is held: before the step is sent, or when it is done and before the answer is told. */
export interface Point {
  readonly at: number;
  readonly when: 'before' | 'after';
}

export interface Written {
  readonly replica: string;
  readonly vdc: string;
  readonly text: string;
  /** Held until another replica had taken over. */
  readonly isLate: boolean;
}

/** One virtual data center under way. */
export class Watched {
  readonly name: string;
  readonly point: Point | undefined;
  id: string | undefined;
  /** By the replica that is watched. */
  readonly steps: string[] = [];
  #heldAt: string | undefined;
  readonly #release = Promise.withResolvers<boolean>();
  #isReleased = false;

  constructor(name: string, point: Point | undefined, id?: string) {
    this.name = name;
    this.point = point;
    this.id = id;
  }

  /** The step that it is, or was, held at; undefined where it has not come so far. */
  get heldAt(): string | undefined {
    return this.#heldAt;
  }

  get isReleased(): boolean {
    return this.#isReleased;
  }

  isIn({ content }: Step): boolean {
    return content.includes(this.name) || (this.id !== undefined && content.includes(this.id));
  }

  hold(text: string): Promise<boolean> {
    this.#heldAt = text;
    return this.#release.promise;
  }

  /** What is held goes on, or is lost. */
  release(goesOn: boolean): void {
    this.#isReleased = true;
    this.#release.resolve(goesOn);
  }
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const claims = /reconciliations .*SKIP LOCKED/;
/** Looks at many at once, which belong to no attempt on one. */
const looks = /(?:entity_id|v\.id) = ANY/;

export class Stage implements Director {
  /** Ids that stand beside that of a virtual data center when it is made. */
  readonly known = new Set<string>();
  readonly written: Written[] = [];
  /** The replica whose steps count. */
  #actor = '';
  #watched: readonly Watched[] = [];
  #transactions = new WeakMap<object, Watched | null>();
  readonly #claiming = new Map<string, PromiseWithResolvers<void>>();

  /** From now on, the steps of this replica for these count. */
  watch(actor: string, watched: readonly Watched[]): void {
    this.#actor = actor;
    this.#watched = watched;
    this.#transactions = new WeakMap();
    this.written.length = 0;
  }

  /** It takes no work until it is let. */
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
    return {
      send: async () => {
        const isSent = await fate.send();
        const isLate = watched.isReleased && fate !== passing;
        if (isSent) this.written.push({ replica: step.replica, vdc: watched.name, text: step.text, isLate });
        return isSent;
      },
      tell: () => fate.tell(),
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
    if (looks.test(text)) return undefined;
    const named = this.#watched.find((one) => one.isIn(step));
    if (named !== undefined) {
      if (this.#transactions.has(connection)) this.#transactions.set(connection, named);
      if (named.id === undefined && /^insert into "vdcs"/i.test(text)) named.id = this.#idIn(step);
      return named;
    }
    const found = this.#transactions.get(connection) ?? undefined;
    if (/^(?:commit|rollback)/i.test(text)) this.#transactions.delete(connection);
    return found;
  }

  #idIn({ content }: Step): string | undefined {
    return content.match(uuid)?.find((id) => !this.known.has(id));
  }
}
