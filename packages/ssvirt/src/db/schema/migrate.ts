/** Brings the schema up to date: forward only, under an advisory lock, all in one transaction. */
import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import type { Database } from '../connection/database.ts';
import { migrations } from '../migrations/index.ts';

/** The schema could not be brought up to date. The message is for the person who runs the command. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
}

export interface Migrated {
  /** The newest migration before and after; undefined when there is none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** The names of the migrations that ran now. */
  readonly applied: readonly string[];
}

/** Safe to run concurrently: the second caller waits and then finds nothing to do. */
export async function migrate(
  { db }: Pick<Database, 'db'>,
  known: Readonly<Record<string, Migration>> = migrations,
): Promise<Migrated> {
  const before = await appliedMigrations(db);
  refuseNewer(before, known);
  // The case of every start except the first one after an upgrade. It needs no lock and no right to change tables.
  if (Object.keys(known).every((name) => before.includes(name)))
    return { from: before.at(-1), to: before.at(-1), applied: [] };
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve({ ...known }) } });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) {
    // A newer version may have migrated while we waited.
    refuseNewer(await appliedMigrations(db), known);
    const failed = results.find((one) => one.status === 'Error')?.migrationName;
    throw new MigrationError(
      `cannot bring the database up to date${failed === undefined ? '' : `: migration ${failed} failed`}: ${String(error instanceof Error ? error.message : error)}`,
      { cause: error },
    );
  }
  const applied = results.filter((one) => one.status === 'Success').map((one) => one.migrationName);
  const to = (await appliedMigrations(db)).at(-1);
  return { from: before.at(-1), to, applied };
}

/** The names of the applied migrations, oldest first. */
export async function appliedMigrations(db: Kysely<never> | Database['db']): Promise<readonly string[]> {
  const table = await sql<{ found: boolean }>`SELECT to_regclass('kysely_migration') IS NOT NULL AS found`.execute(db);
  if (table.rows[0]?.found !== true) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(db);
  return rows.map((row) => row.name);
}

function refuseNewer(applied: readonly string[], known: Readonly<Record<string, Migration>>): void {
  const unknown = applied.filter((name) => !(name in known));
  if (unknown.length === 0) return;
  throw new MigrationError(
    `cannot use the database: it has the migration ${unknown.join(', ')}, which this version does not know; a newer ssvirt has been here: use that version or a later one`,
  );
}
