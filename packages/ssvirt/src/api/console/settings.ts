/** `ConsoleSettings` holds the limits of tickets and consoles. */
export interface ConsoleSettings {
  /** The lifetime of an unused ticket. */
  readonly ticketMs: number;
  /** A console without input or output for this long is closed. */
  readonly idleMs: number;
  /** The limit per user, in each API server. */
  readonly perUser: number;
  /** How often open consoles are checked for permission and for a live browser. */
  readonly lookMs: number;
  /** A browser that leaves this many pings in a row unanswered is gone; each check sends one. */
  readonly unanswered: number;
}

export const defaultConsoleSettings: ConsoleSettings = {
  ticketMs: 30_000,
  idleMs: 30 * 60_000,
  perUser: 10,
  lookMs: 30_000,
  unanswered: 4,
};
