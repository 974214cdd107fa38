/**
 * The query plans of the API's lists: every list as a tenant and as the provider, first and far pages, plain and
 * filtered, each repeated until prepared statements have their final plan. PostgreSQL reports the plan of each executed
 * statement (auto_explain).
 */
import { anyImage } from '../../test/net/any-image.ts';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { buildApp } from '../../packages/ssvirt/src/api/app.ts';
import { nothingOffered } from '../../packages/ssvirt/src/api/catalogs/catalogs/source.ts';
import { noConsoles } from '../../packages/ssvirt/src/api/console/source.ts';
import { noSupervisor } from '../../packages/ssvirt/src/api/supervisor/source.ts';
import type { ApiSettings } from '../../packages/ssvirt/src/api/settings.ts';
import { openDatabase } from '../../packages/ssvirt/src/db/connection/database.ts';
import { farPage, listed } from './cases.ts';
import { planOf, type Plan } from './plan.ts';
import type { Sessions } from './rows.ts';

/** PostgreSQL may switch a prepared statement to a generic plan after five executions; three more are for its name. */
const repetitions = 10;

export async function plansOfLists(url: string, sessions: Sessions, rows: number): Promise<readonly Plan[]> {
  const database = openDatabase({ url, maxConnections: 1 });
  const plans: Plan[] = [];
  let asked = '';
  database.pool.on('connect', (client) =>
    client.on('notice', ({ message }) => {
      const plan = planOf(asked, message ?? '');
      if (plan !== undefined) plans.push(plan);
    }),
  );
  const app = await buildApp({
    database,
    settings,
    catalogSource: nothingOffered,
    clusters: { list: () => [], get: () => undefined },
    consoles: noConsoles,
    images: anyImage,
    supervisor: noSupervisor,
    log: pino({ level: 'silent' }),
    registry: new Registry(),
  });
  try {
    for (const { who, path } of requests(rows)) {
      asked = `${who}: GET ${path}`;
      const headers = { authorization: `Bearer ${sessions[who]}` };
      for (let time = 0; time < repetitions; time += 1) {
        const { statusCode, body } = await app.inject({ method: 'GET', url: path, headers });
        if (statusCode !== 200) throw new Error(`GET ${path} answered ${statusCode}: ${body.slice(0, 300)}`);
      }
    }
  } finally {
    await app.close();
    await database.close();
  }
  return plans;
}

function requests(rows: number): readonly { readonly who: keyof Sessions; readonly path: string }[] {
  const far = farPage(rows);
  const paths = [
    ...listed().flatMap(({ path, query }) =>
      [1, far].flatMap((page) => [`${path}?page=${page}`, `${path}?page=${page}&${query}`]),
    ),
    ...[1, far].flatMap((page) =>
      ['', '&filter=name==*1*&sortDesc=name', '&filter=status==POWERED_ON'].map(
        (query) => `/cloudapi/1.0.0/vms?page=${page}${query}`,
      ),
    ),
    ...['orgs', 'vdcs', 'vapps', 'catalogs', 'tokens'].flatMap((name) =>
      ['', '&sortDesc=createdAt', '&filter=name==*1*&sortAsc=name'].map(
        (query) => `/cloudapi/1.0.0/${name}?page=2${query}`,
      ),
    ),
    ...[1, far].map((page) => `/cloudapi/1.0.0/auditTrail?page=${page}`),
    `/cloudapi/1.0.0/auditTrail?page=1&filter=outcome==success`,
    '/cloudapi/1.0.0/roles',
  ];
  const system = ['/cloudapi/1.0.0/syncFailures', '/cloudapi/1.0.0/syncFailures?filter=isResolved==false'];
  return [
    ...paths.map((path) => ({ who: 'tenant' as const, path })),
    ...[...paths, ...system].map((path) => ({ who: 'system' as const, path })),
  ];
}

const settings: ApiSettings = {
  siteName: 'bench',
  sessionIdleMs: 1_800_000,
  sessionMaxMs: 86_400_000,
  accessTokenMs: 3_600_000,
  loginFailures: 5,
  defaultCluster: 'local',
  version: '0.0.0-bench',
};
