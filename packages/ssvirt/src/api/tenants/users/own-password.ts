/** Changing the own password requires the current one: an unattended session is not enough. */
import type { Kysely } from 'kysely';
import { passwordHashOf } from '../../../db/tenants/credentials.ts';
import type { Tables, UserId } from '../../../db/schema/schema.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Caller } from '../../caller.ts';
import { badRequest } from '../../errors.ts';
import type { Passwords } from '../../auth/passwords/passwords.ts';
import { Throttle } from '../../auth/sessions/throttle.ts';

export interface PasswordContext {
  readonly db: Kysely<Tables>;
  readonly passwords: Passwords;
  readonly settings: { readonly loginFailures: number };
}

/**
 * Throws BAD_REQUEST if `given` is not the caller's password. Failures count, and are throttled, like those at log-in.
 */
export async function requireOwnPassword(
  { db, passwords, settings }: PasswordContext,
  caller: Caller,
  given: string | undefined,
): Promise<void> {
  if (given === undefined) throw badRequest('currentPassword is missing; send your current password to change it.');
  const who = { address: caller.clientAddress, named: ['user', caller.organizationName, caller.userName] };
  const throttle = new Throttle(db, who, settings.loginFailures);
  await throttle.pass();
  const { matches } = await passwords.check(given, await passwordHashOf(db, caller.userId), {
    before: () => throttle.pass(),
    after: (isRight) => (isRight ? throttle.succeeded() : throttle.failed()),
  });
  if (matches) return;
  await recordAudit(db, caller, {
    action: 'users.update',
    entity: { kind: 'user', id: caller.userId satisfies UserId, name: caller.userName },
    outcome: 'refused',
    details: { reason: 'wrong password' },
  });
  throw badRequest('currentPassword: is not your current password.');
}
