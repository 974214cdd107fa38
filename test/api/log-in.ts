/** Users with a password, and requests that log them in. */
import { defined } from '@ssvirt/base/values/defined';
import type { RoleName } from '../../packages/ssvirt/src/api/caller.ts';
import { hashPassword } from '../../packages/ssvirt/src/api/auth/passwords/argon2id.ts';
import type { OrganizationId } from '../../packages/ssvirt/src/db/schema/schema.ts';
import type { User } from '../../packages/ssvirt/src/db/tenants/users.ts';
import { makeUser, unique } from '../database/rows.ts';
import { roleIdOf, testSettings, type Answer, type ApiHarness } from './harness.ts';

export const goodPassword = 'correct horse:battery@staple';

const cheap = testSettings.passwordCost ?? { memoryKiB: 64, passes: 1, parallelism: 1 };

/** A user with `goodPassword`, in a new organization by default. */
export async function makeLogin(
  api: ApiHarness,
  { role = 'vApp User', organization }: { readonly role?: RoleName; readonly organization?: OrganizationId } = {},
): Promise<User> {
  return makeUser(api.db, {
    username: unique('user'),
    password_hash: await hashPassword(goodPassword, cheap),
    roles: [roleIdOf[role]],
    ...defined({ organization_id: organization }),
  });
}

export function basic(who: string, password: string): string {
  return `Basic ${Buffer.from(`${who}:${password}`).toString('base64')}`;
}

export interface LogInOptions {
  readonly password?: string;
  readonly door?: 'tenant' | 'provider';
  readonly headers?: Readonly<Record<string, string>>;
}

export function logIn(
  api: ApiHarness,
  who: string,
  { password = goodPassword, door = 'tenant', headers = {} }: LogInOptions = {},
): Promise<Answer> {
  const path = door === 'tenant' ? '/cloudapi/1.0.0/sessions' : '/cloudapi/1.0.0/sessions/provider';
  return api.ask('POST', path, { headers: { authorization: basic(who, password), ...headers } });
}

/** The token from a log-in. */
export function tokenOf({ headers }: Answer): string {
  return String(headers['x-vmware-vcloud-access-token']);
}

let hosts = 0;

/** The header of a new client address, for an API that trusts the test's address as a proxy. */
export function fromElsewhere(): Readonly<Record<string, string>> {
  hosts += 1;
  return { 'x-forwarded-for': `198.51.${Math.floor(hosts / 250)}.${(hosts % 250) + 1}` };
}
