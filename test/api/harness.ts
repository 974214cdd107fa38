/** The API on a real PostgreSQL and a real socket, with users of every role. */
import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { UrlFilter } from '@ssvirt/base/net/url-filter';
import { request as send, Agent } from 'undici';
import { nothingOffered } from '../../packages/ssvirt/src/api/catalogs/catalogs/source.ts';
import type { ClusterDirectory, ClusterEntry } from '../../packages/ssvirt/src/api/clusters/directory.ts';
import { noConsoles } from '../../packages/ssvirt/src/api/console/source.ts';
import { buildApp } from '../../packages/ssvirt/src/api/app.ts';
import { systemOrganization, type RoleName } from '../../packages/ssvirt/src/api/caller.ts';
import type { ApiDeps } from '../../packages/ssvirt/src/api/deps.ts';
import type { ServedRoute } from '../../packages/ssvirt/src/api/http/app-types.ts';
import { hashOfToken } from '../../packages/ssvirt/src/api/http/authenticate.ts';
import type { ApiSettings } from '../../packages/ssvirt/src/api/settings.ts';
import { roleIds } from '../../packages/ssvirt/src/db/tenants/roles.ts';
import type { OrganizationId, RoleId, UserId } from '../../packages/ssvirt/src/db/schema/schema.ts';
import { createSession } from '../../packages/ssvirt/src/db/tenants/sessions.ts';
import { startTestDatabase, type TestDatabase } from '../database/harness.ts';
import { makeOrganization, makeUser } from '../database/rows.ts';

export interface Answer<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: T;
}

export interface Asked {
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Person {
  readonly token: string;
  readonly userId: UserId;
  readonly organizationId: OrganizationId;
}

export interface ApiHarness {
  readonly url: string;
  readonly test: TestDatabase;
  readonly db: TestDatabase['database']['db'];
  readonly log: readonly Record<string, unknown>[];
  readonly routes: readonly ServedRoute[];
  ask<T = Record<string, unknown>>(method: string, path: string, asked?: Asked): Promise<Answer<T>>;
  /**
   * A new user with that role and a session: by default in a new organization, for a system administrator in the
   * provider's.
   */
  person(role: RoleName, organization?: OrganizationId): Promise<Person>;
  /** Another session of the person. */
  sessionOf(person: Omit<Person, 'token'>): Promise<Person>;
  stop(): Promise<void>;
}

export const roleIdOf: Readonly<Record<RoleName, RoleId>> = {
  'System Administrator': roleIds.systemAdministrator,
  'Organization Administrator': roleIds.organizationAdministrator,
  'vApp Author': roleIds.vappAuthor,
  'vApp User': roleIds.vappUser,
  'Read-only': roleIds.readOnly,
};

export const testSettings: ApiSettings = {
  siteName: 'test',
  sessionIdleMs: 30 * 60_000,
  sessionMaxMs: 24 * 3_600_000,
  accessTokenMs: 3_600_000,
  loginFailures: 5,
  defaultCluster: 'local',
  version: '0.0.0-test',
  passwordCost: { memoryKiB: 64, passes: 1, parallelism: 1 },
};

/** Hosts of the reserved domains are allowed, so that no name is looked up. */
export const testImages = new UrlFilter(
  { allowedHosts: ['*.example', '*.example.com', '*.example.org'], allowedCidrs: [] },
  { hosts: 'images.allowedHosts', cidrs: 'images.allowedCidrs' },
);

export function directoryOf(...entries: readonly ClusterEntry[]): ClusterDirectory {
  return { list: () => entries, get: (name) => entries.find((entry) => entry.name === name) };
}

export async function startApi(changes: Partial<ApiDeps> = {}): Promise<ApiHarness> {
  const test = await startTestDatabase();
  const lines: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'info', base: null },
    { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  );
  const app = await buildApp({
    database: test.database,
    settings: testSettings,
    catalogSource: nothingOffered,
    clusters: directoryOf({ name: 'local', available: true, message: '' }),
    consoles: noConsoles,
    images: testImages,
    supervisor: {
      machines: () => ({ entries: [], stale: false }),
      orders: () => ({ entries: [], stale: false }),
    },
    log,
    registry: new Registry(),
    ...changes,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const agent = new Agent();
  const { db } = test.database;

  async function sessionOf({ userId, organizationId }: Omit<Person, 'token'>): Promise<Person> {
    const token = `test.${randomBytes(32).toString('base64url')}`;
    await createSession(db, {
      user_id: userId,
      organization_id: organizationId,
      token_hash: hashOfToken(token),
      expires_at: new Date(Date.now() + testSettings.sessionIdleMs),
    });
    return { token, userId, organizationId };
  }

  return {
    url,
    test,
    db,
    log: lines,
    routes: app.served,
    async ask<T>(method: string, path: string, { token, body, headers = {} }: Asked = {}): Promise<Answer<T>> {
      const answer = await send(`${url}${path}`, {
        dispatcher: agent,
        method: method as 'GET',
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, headers: answer.headers, text, body: parsed(text) as T };
    },
    async person(role, organization) {
      const home =
        role === 'System Administrator' ? systemOrganization : (organization ?? (await makeOrganization(db)).id);
      const { id } = await makeUser(db, { organization_id: home, roles: [roleIdOf[role]] });
      return sessionOf({ userId: id, organizationId: home });
    },
    sessionOf,
    async stop() {
      await agent.close();
      await app.close();
      await test.stop();
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
