/**
 * Looks up the session of a request. Every request reads it, so an end in any replica takes effect with the next
 * request.
 */
import type { Database } from '../../../db/connection/database.ts';
import type { SessionId } from '../../../db/schema/schema.ts';
import { findSessions, touchSession } from '../../../db/tenants/sessions.ts';
import type { SessionLookup } from '../../http/authenticate.ts';
import type { ApiSettings } from '../../settings.ts';
import { batchedReads } from '../../../db/connection/batched-reads.ts';

/** How often a use is recorded at most: a session with a thousand requests a second must not cause as many writes. */
const touchEveryMs = 30_000;

export function sessionLookup(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  { sessionIdleMs }: Pick<ApiSettings, 'sessionIdleMs'>,
): SessionLookup {
  // If sessions expire quickly, uses are recorded more often; otherwise a session in use could expire.
  const step = Math.min(touchEveryMs, sessionIdleMs / 10);
  const find = batchedReads((hashes) => findSessions(pool, hashes));
  const touching = new Set<SessionId>();
  return async (tokenHash) => {
    const session = await find(tokenHash.toString('hex'));
    // Of several requests that find the update due at the same time, one writes: the others would queue for the row
    // lock.
    if (session === undefined || session.unused_ms < step || touching.has(session.id)) return session;
    touching.add(session.id);
    try {
      await touchSession(db, session.id, sessionIdleMs);
    } finally {
      touching.delete(session.id);
    }
    return session;
  };
}
