/** Where consoles come from. The API knows no cluster: the process gives it this. */
import type { Duplex } from 'node:stream';
import type { ConsoleKind } from '../../db/console-tickets.ts';

/** One console of one machine, by its place in the fleet. */
export interface ConsoleTarget {
  readonly cluster: string;
  readonly namespace: string;
  readonly vmName: string;
  readonly kind: ConsoleKind;
}

export interface ConsoleSource {
  /**
   * Bytes of the machine and for it; nothing is lost that comes before somebody reads. Rejects with a ConsoleRefusal. The signal ends the opening, and the
   * console as well.
   */
  open(target: ConsoleTarget, signal: AbortSignal): Promise<Duplex>;
}

export type ConsoleRefusalKind =
  /** The machine is not there, or does not run. */
  | 'notRunning'
  /** It has no such device. */
  | 'noDevice'
  /** The cluster does not answer, or not as it should. */
  | 'unavailable';

/** Why there is no console; the message is for people, the cause for the log. */
export class ConsoleRefusal extends Error {
  override readonly name = 'ConsoleRefusal';
  readonly kind: ConsoleRefusalKind;

  constructor(kind: ConsoleRefusalKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
  }
}

/** For where there is no cluster. */
export const noConsoles: ConsoleSource = {
  open: () => Promise.reject(new ConsoleRefusal('unavailable', 'There are no consoles here.')),
};
