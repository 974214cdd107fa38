/**
 * What a database contains in addition to what it contained before: rows by their tables and views, and the schema
 * itself.
 */
import type pg from 'pg';

/** A schema next to the one in use: copies of each table and view, as tables. */
const kept = 'kept';

/** The number of rows of each table and view, by its name. */
export type Counts = Readonly<Record<string, number>>;

/** Copies everything, for a later comparison. */
export async function keep(pool: pg.Pool): Promise<void> {
  await pool.query(`CREATE SCHEMA ${kept}`);
  for (const name of await relations(pool, 'public'))
    await pool.query(`CREATE TABLE ${kept}.${name} AS SELECT * FROM public.${name}`);
}

/**
 * Copied rows that no longer exist unchanged, in the columns of the copy: a sentence for each table or view with such
 * rows.
 */
export async function lost(pool: pg.Pool): Promise<readonly string[]> {
  const said: string[] = [];
  for (const name of await relations(pool, kept)) {
    const columns = await columnsOf(pool, name);
    const { rows } = await pool.query<{ line: string; count: number }>(
      `SELECT min(l::text) AS line, count(*) FROM (SELECT ${columns} FROM ${kept}.${name} EXCEPT ALL SELECT ${columns} FROM public.${name}) l`,
    );
    const [found] = rows;
    if (found !== undefined && found.count > 0) said.push(`${name} lacks ${found.count} rows, such as ${found.line}`);
  }
  return said;
}

/** The number of rows in addition to the copied ones, of each table and view that has some. */
export async function added(pool: pg.Pool): Promise<Counts> {
  const [before, now] = await Promise.all([counts(pool, kept), counts(pool)]);
  const more = Object.entries(before).map(([name, count]) => [name, (now[name] ?? 0) - count] as const);
  return Object.fromEntries(more.filter(([, count]) => count !== 0));
}

export async function counts(pool: pg.Pool, schema = 'public'): Promise<Counts> {
  const counted: Record<string, number> = {};
  for (const name of await relations(pool, schema)) {
    const { rows } = await pool.query<{ count: number }>(`SELECT count(*) FROM ${schema}.${name}`);
    counted[name] = rows[0]?.count ?? 0;
  }
  return counted;
}

/**
 * Everything that PostgreSQL knows about the tables: columns, constraints, indexes, triggers, functions, views; and
 * whether each is in force.
 */
export async function schemaOf(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    SELECT format('%s.%s %s %s %s %s', table_name, column_name, data_type, is_nullable, column_default, generation_expression) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT format('%s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT format('%s %s %s', pg_get_indexdef(indexrelid), indisvalid, indisready)
      FROM pg_index WHERE (SELECT relnamespace FROM pg_class WHERE oid = indrelid) = 'public'::regnamespace
    UNION ALL SELECT format('%s %s', pg_get_triggerdef(t.oid), tgenabled)
      FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE NOT tgisinternal AND relnamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT format('%s %s', relname, pg_get_viewdef(oid)) FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace
    UNION ALL SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext WHERE stxnamespace = 'public'::regnamespace
    ORDER BY 1`);
  return rows.map(({ line }) => line);
}

/** Tables and views except the migrator's own, which are expected to change. */
async function relations(pool: pg.Pool, schema: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = $1 AND table_name NOT LIKE 'kysely%' ORDER BY 1`,
    [schema],
  );
  return rows.map(({ name }) => name);
}

/**
 * In the views, `stale` follows from the time of the last contact, which older levels did not record: it changes with
 * the level.
 */
async function columnsOf(pool: pg.Pool, name: string): Promise<string> {
  const { rows } = await pool.query<{ columns: string }>(
    `SELECT string_agg(column_name, ', ' ORDER BY ordinal_position) AS columns FROM information_schema.columns
      WHERE table_schema = $1 AND table_name = $2 AND NOT (table_name IN ('vm_status', 'vapp_status') AND column_name = 'stale')`,
    [kept, name],
  );
  return rows[0]?.columns ?? '';
}
