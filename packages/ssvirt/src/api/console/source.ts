/** Where consoles come from. The API knows no cluster: the process provides this. */
import type { Duplex } from 'node:stream';
import type { ConsoleKind } from '../../db/tenants/console-tickets.ts';

/** One console of one VM, by its cluster and namespace. */
export interface ConsoleTarget {
  readonly cluster: string;
  readonly namespace: string;
  readonly vmName: string;
  readonly kind: ConsoleKind;
}

export interface ConsoleSource {
  /**
   * Opens a stream of bytes from and to the VM; no byte is lost before the first read. Rejects with a ConsoleRefusal.
   * The signal aborts the opening and also the open console.
   */
  open(target: ConsoleTarget, signal: AbortSignal): Promise<Duplex>;
}

export type ConsoleRefusalKind =
  /** The VM does not exist or does not run. */
  | 'notRunning'
  /** The VM has no such device. */
  | 'noDevice'
  /** The cluster does not answer, or answers with an error. */
  | 'unavailable';

/** Why there is no console; the message is for the caller, the cause for the log. */
export class ConsoleRefusal extends Error {
  override readonly name = 'ConsoleRefusal';
  readonly kind: ConsoleRefusalKind;

  constructor(kind: ConsoleRefusalKind, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
  }
}

/** For a server without clusters. */
export const noConsoles: ConsoleSource = {
  open: () => Promise.reject(new ConsoleRefusal('unavailable', 'This server provides no consoles.')),
};
