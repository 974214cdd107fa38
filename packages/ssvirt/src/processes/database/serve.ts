/** `ssvirt database serve`: an embedded PostgreSQL that runs until a signal ends it. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseAddress } from '@ssvirt/base/config/address';
import { parseDatabaseUrl, showDatabaseUrl } from '@ssvirt/base/config/database-url';
import { ConfigError } from '@ssvirt/base/config/setting';
import { sayMigrated } from './command-actions.ts';
import { openDatabase } from '../../db/connection/database.ts';
import { EmbeddedPostgresError } from '../../db/embedded/error.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../db/embedded/server.ts';
import { migrate } from '../../db/schema/migrate.ts';

const databaseName = 'ssvirt';

export async function serve({ data, listen }: { readonly data: string; readonly listen: string }): Promise<void> {
  const port = portOf(listen);
  const end = ended();
  const folder = resolve(data);
  const postgres = await startEmbeddedPostgres({ data: folder, port });
  try {
    const url = await migrated(postgres.url);
    const file = join(folder, 'url');
    writeFileSync(file, `${url}\n`, { mode: 0o600 });
    process.stdout.write(welcome(showDatabaseUrl(parseDatabaseUrl(url)), file));
    await Promise.race([end, lost(postgres)]);
  } finally {
    await postgres.stop();
  }
}

function portOf(listen: string): number {
  const address = parseAddress(listen);
  if (address !== undefined && ['127.0.0.1', 'localhost'].includes(address.host)) return address.port;
  throw new ConfigError([`--listen: "${listen}" is not an address of this machine alone: write 127.0.0.1:PORT`]);
}

/** Another process killed the server: the supervisor of this process must start it again, with the same data. */
async function lost({ ended: over }: EmbeddedPostgres): Promise<never> {
  await over();
  throw new EmbeddedPostgresError('PostgreSQL has ended by itself, or was killed: start it again, the data are kept');
}

/** Creates the database if it is missing; resolves to its URL. */
async function migrated(serverUrl: string): Promise<string> {
  const server = openDatabase({ url: serverUrl, maxConnections: 1 });
  const found = await server.pool.query('SELECT FROM pg_database WHERE datname = $1', [databaseName]);
  if (found.rowCount === 0) await server.pool.query(`CREATE DATABASE ${databaseName}`);
  await server.close();
  const url = new URL(serverUrl);
  url.pathname = `/${databaseName}`;
  const database = openDatabase({ url: url.toString(), maxConnections: 1, statementTimeoutMs: 0 });
  try {
    process.stdout.write(`${sayMigrated(await migrate(database), 'the database')}\n`);
  } finally {
    await database.close();
  }
  return url.toString();
}

/** The URL with its password is only in the file. */
function welcome(url: string, file: string): string {
  const word = `'${file.replaceAll("'", `'\\''`)}'`;
  return `PostgreSQL is up at ${url}

Use it in another terminal:

  export SSVIRT_DATABASE_URL="$(cat ${word})"

Ctrl-C ends it; the data stay in the folder.
`;
}

function ended(): Promise<void> {
  return new Promise((done) => {
    // Neither a signal handler nor the server keeps this process alive.
    const stay = setInterval(() => undefined, 3_600_000);
    const end = (): void => {
      clearInterval(stay);
      done();
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  });
}
