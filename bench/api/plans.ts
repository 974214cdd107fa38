/**
 * How PostgreSQL does what the lists ask of it: every list of the API, as a tenant and as the provider, first and far, plain and filtered, each often
 * enough that prepared statements have the plan that they keep. PostgreSQL itself tells the plan of each statement, as it was executed (auto_explain).
 */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { buildApp } from '../../src/api/app.ts';
import type { ApiSettings } from '../../src/api/settings.ts';
import { openDatabase } from '../../src/db/database.ts';
import { farPage, listed } from './cases.ts';
import type { Sessions } from './rows.ts';

export interface Plan {
  /** The request. */
  readonly asked: string;
  readonly statement: string;
  /** Milliseconds. */
  readonly duration: number;
  /** Tables that were read from end to end, with the rows that were read. */
  readonly sequential: readonly string[];
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

/** A table with fewer rows is read from end to end sooner than by an index. */
const small = 500;
/** After five a prepared statement may go over to another plan; three more for its name. */
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
    catalogSource: { entries: () => [], unavailable: () => [] },
    clusters: { list: () => [], get: () => undefined },
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
    ...['orgs', 'vdcs', 'catalogs', 'tokens'].flatMap((name) =>
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

export function planOf(asked: string, message: string): Plan | undefined {
  const match = /^duration: ([\d.]+) ms {2}plan:\n(\{.*\})$/s.exec(message);
  if (match === null) return undefined;
  const { 'Query Text': statement, Plan: root } = JSON.parse(match[2] ?? '{}') as {
    readonly 'Query Text': string;
    readonly Plan: Node;
  };
  return { asked, statement, duration: Number(match[1]), sequential: sequentialIn(root) };
}

function sequentialIn(node: Node): readonly string[] {
  const read = ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
  const own =
    node['Node Type'].endsWith('Seq Scan') && read >= small ? [`${node['Relation Name']} (${read} rows)`] : [];
  return [...own, ...(node.Plans ?? []).flatMap(sequentialIn)];
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
