/** What the subcommands of `ssvirt database` do once the database is known, and how they report errors. */
import type { Command } from 'commander';
import type { Config } from '@ssvirt/base/config/keys';
import { showDatabaseUrl } from '@ssvirt/base/config/database-url';
import { acceptCluster, ClusterAcceptError } from '../../db/clusters/accept-cluster.ts';
import { openDatabase, type Database } from '../../db/connection/database.ts';
import { EmbeddedPostgresError } from '../../db/embedded/error.ts';
import { codeOf, tlsAdvice } from '../../db/connection/errors.ts';
import { migrate, MigrationError, type Migrated } from '../../db/schema/migrate.ts';
import { query, QueryError, type QueryOptions } from './query.ts';

type DatabaseConfig = Config['database'];

export async function migrateAndSay(config: DatabaseConfig): Promise<void> {
  await onDatabase(config, async (database) => {
    process.stdout.write(`${sayMigrated(await migrate(database), showDatabaseUrl(config.url))}\n`);
  });
}

export function sayMigrated({ from, to, applied }: Migrated, where: string): string {
  if (applied.length === 0) return `${where} is up to date: it is at ${to ?? 'no migration'}`;
  return `${where} is at ${to ?? 'no migration'} now (it was ${from === undefined ? 'empty' : `at ${from}`}): ${applied.join(', ')}`;
}

export async function acceptAndSay(config: DatabaseConfig, name: string, uid: string): Promise<void> {
  await onDatabase(config, async ({ db }) => {
    const previous = await acceptCluster(db, name, uid);
    process.stdout.write(
      `cluster "${name}" may be ${uid} from now on${previous === undefined ? '' : ` (it was ${previous})`}; the vm-controller takes it over when it next asks the cluster\n`,
    );
  });
}

export async function queryAndSay(config: DatabaseConfig, statement: string, options: QueryOptions): Promise<void> {
  await onDatabase(config, async (database) => {
    process.stdout.write(await query(database, statement, options));
  });
}

async function onDatabase(config: DatabaseConfig, work: (database: Database) => Promise<void>): Promise<void> {
  // Migrations of a large database may take long.
  const database = openDatabase({ ...config, applicationName: 'ssvirt database', statementTimeoutMs: 0 });
  try {
    await work(database);
  } catch (cause) {
    throw cause instanceof MigrationError || cause instanceof ClusterAcceptError || cause instanceof QueryError
      ? cause
      : new DatabaseCommandError(`cannot use the database ${showDatabaseUrl(config.url)}: ${reasonOf(cause)}`, {
          cause,
        });
  } finally {
    await database.close();
  }
}

class DatabaseCommandError extends Error {
  override readonly name = 'DatabaseCommandError';
}

function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ');
  if (!(cause instanceof Error)) return String(cause);
  switch (codeOf(cause)) {
    case '42P01':
      return 'its tables are missing: run "ssvirt database migrate" first';
    case 'ECONNREFUSED':
      return 'no server listens there: start PostgreSQL, or check the host and port in database.url';
    default:
      return cause.message.startsWith('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password')
        ? 'it requires a password: set database.passwordFile to the file that holds it'
        : (tlsAdvice(cause) ?? cause.message);
  }
}

const forPeople = [MigrationError, ClusterAcceptError, QueryError, DatabaseCommandError, EmbeddedPostgresError];

/**
 * Ends the command with a message when the error is meant for people. Any other error is a defect and shows its stack.
 */
export async function sayProblem(command: Command, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Error) || !forPeople.some((kind) => error instanceof kind)) throw error;
    command.error(`ssvirt: ${error.message}`, { exitCode: 1 });
  }
}
