/** Periodic cleanup: ends unused sessions and deletes log-in failures that no longer count. */
import type { Kysely } from 'kysely';
import { dropUnclaimedTokens, revokeExpiredTokens } from '../../../db/tenants/api-tokens.ts';
import { dropOldConsoleTickets } from '../../../db/tenants/console-tickets.ts';
import { dropOldKnownLogIns } from '../../../db/tenants/known-log-ins.ts';
import { dropOldFailures } from '../../../db/tenants/login-failures.ts';
import type { Tables } from '../../../db/schema/schema.ts';
import { endExpiredSessions } from '../../../db/tenants/sessions.ts';

export interface Housekept {
  readonly sessions: number;
  readonly failures: number;
  readonly knownLogIns: number;
  /** Those that expired, and those that were never handed out. */
  readonly tokens: number;
  readonly consoleTickets: number;
}

/**
 * May run in any replica, any number of times. Nothing depends on it: an expired session is not valid, whether this has
 * run or not.
 */
export async function sessionHousekeeping(db: Kysely<Tables>): Promise<Housekept> {
  return {
    sessions: await endExpiredSessions(db),
    failures: await dropOldFailures(db),
    knownLogIns: await dropOldKnownLogIns(db),
    tokens: (await revokeExpiredTokens(db)) + (await dropUnclaimedTokens(db)),
    consoleTickets: await dropOldConsoleTickets(db),
  };
}
