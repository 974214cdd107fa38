/**
 * The steps of a replica: one request after another for each VDC or VM. Between any two steps the replica may be killed
 * or paused.
 */

export interface Step {
  readonly replica: string;
  readonly place: 'database' | 'cluster';
  /** A statement, or the method and path of a write. */
  readonly text: string;
  /** The text that names the subject of the step. */
  readonly content: string;
  /** Groups the statements of a transaction. */
  readonly connection?: object;
}

/** The fate of a step. Each function waits until the step may continue. */
export interface Fate {
  /** Resolves to true when the step may be sent, or to false if it must never be. */
  readonly send: () => Promise<boolean>;
  /**
   * Called when the step is done and answered, by a cluster with the status; resolves when the replica may get the
   * answer.
   */
  readonly tell: (status?: number) => Promise<void>;
}

export interface Director {
  fateOf(step: Step): Fate;
}

export const passing: Fate = { send: () => Promise.resolve(true), tell: () => Promise.resolve() };
