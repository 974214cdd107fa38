/** The session of a request. It is read for every one: what ended it, in whichever replica, holds from the next request on. */
import type { Database } from '../../db/database.ts';
import type { SessionId } from '../../db/schema.ts';
import { findSessions, touchSession } from '../../db/sessions.ts';
import type { SessionLookup } from '../http/authenticate.ts';
import type { ApiSettings } from '../settings.ts';
import { together } from '../../db/together.ts';

/** A use is written down at most so often: a session that is used a thousand times a second must not be written as often. */
const touchEveryMs = 30_000;

export function sessionLookup(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  { sessionIdleMs }: Pick<ApiSettings, 'sessionIdleMs'>,
): SessionLookup {
  // Where sessions end soon, the steps are smaller, or a session in use could end.
  const step = Math.min(touchEveryMs, sessionIdleMs / 10);
  const find = together((hashes) => findSessions(pool, hashes));
  const touching = new Set<SessionId>();
  return async (tokenHash) => {
    const session = await find(tokenHash.toString('hex'));
    // Of several requests that find it due at the same time one writes: the others would wait for its row one after the other.
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
