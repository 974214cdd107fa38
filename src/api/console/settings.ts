/** How tickets and consoles are limited. */
export interface ConsoleSettings {
  /** The life of a ticket that nobody uses. */
  readonly ticketMs: number;
  /** A console on which nothing is typed and nothing shown for so long is closed. */
  readonly idleMs: number;
  /** So many at once for each user, in each API server. */
  readonly perUser: number;
  /** How often it is looked whether those who have one open still may, and whether they are there. */
  readonly lookMs: number;
  /** A browser that leaves so many questions in a row unanswered is gone; one is asked at each look. */
  readonly unanswered: number;
}

export const defaultConsoleSettings: ConsoleSettings = {
  ticketMs: 30_000,
  idleMs: 30 * 60_000,
  perUser: 10,
  lookMs: 30_000,
  unanswered: 4,
};
