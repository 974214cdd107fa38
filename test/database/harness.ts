/**
 * A real PostgreSQL for tests, with a fresh migrated database for each call. The test runner lends its server to one
 * test file at a time; without the runner a test process starts one. Test files that run at once never share a server:
 * the change log waits for transactions of all databases of a server.
 */
import { defined } from '@ssvirt/base/values/defined';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase, type Database } from '../../packages/ssvirt/src/db/connection/database.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../packages/ssvirt/src/db/embedded/server.ts';
import { lentServer } from './lent.ts';
import { inDatabase, preparedFolder, templateName } from './prepared.ts';

export interface TestDatabaseOptions {
  /** Settings of postgresql.conf; with them (or fsync) the call gets a separate server. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly fsync?: boolean;
  /** A separate server, for tests that kill it. */
  readonly ownServer?: boolean;
  readonly maxConnections?: number;
}

export interface TestDatabase {
  readonly url: string;
  readonly database: Database;
  /** Only a separate server can be stopped or killed. */
  readonly postgres: EmbeddedPostgres;
  /** Drops the database, and stops a separate server. */
  readonly stop: () => Promise<void>;
}

let shared: Promise<EmbeddedPostgres> | undefined;

export async function startTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { settings, fsync = false, ownServer = settings !== undefined || fsync, maxConnections } = options;
  const postgres = ownServer ? await startServer(fsync, settings) : await sharedServer();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(postgres.url, `CREATE DATABASE ${name} TEMPLATE ${templateName} STRATEGY file_copy`);
  const url = inDatabase(postgres.url, name);
  // Tests hold rows during other work, which may take some time.
  const database = openDatabase({
    url,
    idleInTransactionMs: 120_000,
    ...defined({ maxConnections }),
  });
  const stop = async (): Promise<void> => {
    await database.close();
    await (ownServer ? postgres.stop() : run(postgres.url, `DROP DATABASE ${name} WITH (FORCE)`));
  };
  return { url, database, postgres, stop };
}

function sharedServer(): Promise<EmbeddedPostgres> {
  // A server that is started here belongs to the process: its guard stops it and removes its data when the process has
  // ended.
  shared ??= lentServer() ?? startServer(false, {});
  return shared;
}

async function startServer(fsync: boolean, settings: Readonly<Record<string, string>> = {}): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ copyOf: await preparedFolder(), fsync, settings });
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
