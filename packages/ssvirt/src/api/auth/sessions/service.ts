/** Existing sessions: users see and end their own. */
import type { Database } from '../../../db/connection/database.ts';
import type { SessionId } from '../../../db/schema/schema.ts';
import { endSession, getSession, type Session } from '../../../db/tenants/sessions.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Caller } from '../../caller.ts';
import { found } from '../../errors.ts';

/** One of the caller's sessions, the current one or another. */
export async function ownSession(
  { pool }: Pick<Database, 'pool'>,
  { userId }: Caller,
  id: SessionId,
): Promise<Session> {
  return found(await getSession(pool, userId, id));
}

export async function logOut(
  database: Pick<Database, 'db' | 'pool'>,
  caller: Caller,
  id: SessionId = caller.sessionId,
): Promise<void> {
  // The current session existed a moment ago; if it has ended since, the request is already fulfilled.
  if (id !== caller.sessionId) await ownSession(database, caller, id);
  await inTransaction(database.db, async (tx) => {
    if (!(await endSession(tx, id))) return;
    const entity = { kind: 'session', id, name: caller.userName } as const;
    await recordAudit(tx, caller, {
      action: id === caller.sessionId ? 'sessions.deleteCurrent' : 'sessions.delete',
      entity,
    });
  });
}
