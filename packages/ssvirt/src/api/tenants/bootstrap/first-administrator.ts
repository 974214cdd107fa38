/**
 * Creates the first system administrator, without whom no other can be created. The password comes from the operator
 * or, in development, is generated here and shown once. There is no default password.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Secret } from '@ssvirt/base/config/secret';
import { appendAuditEvent } from '../../../db/retention/audit.ts';
import { Duplicate } from '../../../db/connection/duplicate.ts';
import { hasHolder, roleIds } from '../../../db/tenants/roles.ts';
import type { Tables } from '../../../db/schema/schema.ts';
import { inTransaction } from '../../../db/connection/transaction.ts';
import { createUser } from '../../../db/tenants/users.ts';
import { systemOrganization } from '../../caller.ts';
import type { PasswordCost } from '../../auth/passwords/argon2id.ts';
import { Passwords } from '../../auth/passwords/passwords.ts';
import { requireGoodPassword } from '../../auth/passwords/rules.ts';

export interface FirstAdministratorOptions {
  readonly username: string;
  readonly password?: Secret | undefined;
  /** Generates a password if none is given; for development. */
  readonly generate: boolean;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly passwordCost?: PasswordCost;
}

export interface FirstAdministrator {
  readonly username: string;
  /** Set if the password was generated here; to be shown once. */
  readonly generated?: Secret;
}

/** An arbitrary number that is the same in every replica. */
const lock = 7_202_611_601;

/**
 * `ensureFirstAdministrator` returns undefined if it created none: one exists already, or there is no password for it.
 * Throws if the password or the name cannot be used.
 */
export async function ensureFirstAdministrator(
  db: Kysely<Tables>,
  { username, password, generate, log, passwordCost }: FirstAdministratorOptions,
): Promise<FirstAdministrator | undefined> {
  if (await hasHolder(db, roleIds.systemAdministrator)) return undefined;
  const generated = password === undefined && generate ? new Secret(randomBytes(18).toString('base64url')) : undefined;
  const chosen = password ?? generated;
  if (chosen === undefined) {
    log.warn(
      'no system administrator exists and none was created, provider log-in is impossible; ' +
        'set api.initialAdmin.passwordFile to a file with a password and restart',
    );
    return undefined;
  }
  requireGoodPassword(chosen.reveal(), username, "the first administrator's password");
  const hash = await new Passwords(passwordCost).hash(chosen.reveal());
  if (!(await makeUnlessThere(db, username, hash))) return undefined;
  log.info({ user: username, organization: 'System' }, 'created the first system administrator');
  return { username, ...defined({ generated }) };
}

/** Replicas that start together run this one after the other, so only the first creates the administrator. */
function makeUnlessThere(db: Kysely<Tables>, username: string, password_hash: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await sql`SELECT pg_advisory_xact_lock(${lock})`.execute(tx);
    if (await hasHolder(tx, roleIds.systemAdministrator)) return false;
    const made = await createUser(tx, {
      organization_id: systemOrganization,
      username,
      password_hash,
      description: 'The first system administrator',
      roles: [roleIds.systemAdministrator],
    }).catch((error: unknown) => {
      throw error instanceof Duplicate ? nameTaken(username, error) : error;
    });
    await appendAuditEvent(tx, {
      organization_id: systemOrganization,
      user_id: null,
      user_name: 'ssvirt',
      action: 'users.create',
      entity_kind: 'user',
      entity_id: made.id,
      entity_name: made.username,
      outcome: 'success',
      details: { reason: 'there was no system administrator' },
    });
    return true;
  });
}

/** That user was created for something else: having the right name makes no one an administrator. */
function nameTaken(username: string, cause: Error): Error {
  return new Error(
    `cannot create the first system administrator: the user "${username}" exists in System without that role; choose another name`,
    { cause },
  );
}
