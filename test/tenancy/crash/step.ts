/** What a replica sends out: one thing after the other for each virtual data center, or machine. Between any two of them it may end, or be paused. */

export interface Step {
  readonly replica: string;
  readonly place: 'database' | 'cluster';
  /** A statement, or the method and path of a write. */
  readonly text: string;
  /** What the step is about stands in here. */
  readonly content: string;
  /** Groups the statements of a transaction. */
  readonly connection?: object;
}

/** What becomes of a step. Each waits until it is let go on. */
export interface Fate {
  /** Resolves when it may be sent; to false where it must never be. */
  readonly send: () => Promise<boolean>;
  /** It is done, and the answer is there, of a cluster with its status; resolves when that may be told. */
  readonly tell: (status?: number) => Promise<void>;
}

export interface Director {
  fateOf(step: Step): Fate;
}

export const passing: Fate = { send: () => Promise.resolve(true), tell: () => Promise.resolve() };
