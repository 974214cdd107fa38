/**
 * Indexes for the lists: each order in which a list can be asked for, with the id behind it, for one organisation and for all. Where an index has an
 * expression of a column it includes the column too, without which PostgreSQL would fetch the row to count it.
 */
import { sql, type Kysely } from 'kysely';

interface Listed {
  readonly table: string;
  readonly live: string;
  /** What a list is limited to by equality. */
  readonly within: readonly string[];
  /** Columns of text, in lower case, and of time. */
  readonly names: readonly string[];
  readonly times: readonly string[];
}

const live = 'deleted_at IS NULL';
/**
 * Deleted rows too. The vm-controller's statements are planned once, maybe while the tables are empty; where an index of live rows alone is there, reading
 * all of it then seems as good as a look-up in another.
 */
const whole = 'true';

/** Whose indexes have deleted rows. */
const marked = new Set(['vdcs', 'vapps', 'vms']);

const lists: readonly Listed[] = [
  { table: 'organizations', live, within: [''], names: ['name', 'display_name'], times: ['created_at'] },
  {
    table: 'users',
    live,
    within: ['', 'organization_id'],
    names: ['username', 'full_name'],
    times: ['created_at'],
  },
  { table: 'vdcs', live: whole, within: ['', 'organization_id'], names: ['name'], times: ['created_at'] },
  { table: 'catalogs', live, within: ['', 'organization_id'], names: ['name'], times: ['created_at'] },
  { table: 'catalog_items', live, within: ['catalog_id'], names: ['name'], times: ['created_at'] },
  { table: 'vapps', live: whole, within: ['', 'vdc_id'], names: ['name'], times: ['created_at'] },
  // Those of one vApp are few. Not by time, in which the vm-controller looks for one by its name: of an empty table it would go through all of them.
  { table: 'vms', live: whole, within: [''], names: ['name'], times: [] },
  { table: 'tasks', live: 'true', within: ['', 'organization_id'], names: [], times: ['created_at'] },
  { table: 'audit_events', live: 'true', within: ['', 'organization_id'], names: [], times: ['at'] },
  { table: 'sync_failures', live: 'true', within: [''], names: [], times: ['last_failed_at'] },
  {
    table: 'api_tokens',
    live: 'revoked_at IS NULL',
    within: ['', 'organization_id', 'user_id'],
    names: ['name'],
    times: ['created_at'],
  },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  // For orders by what is the same in all rows of a catalog.
  await sql`CREATE INDEX catalog_items_list_catalog_id ON catalog_items (catalog_id, id) WHERE deleted_at IS NULL`.execute(
    db,
  );
  for (const list of lists) {
    for (const within of list.within) {
      for (const column of list.names) await index(db, list, within, column, true);
      for (const column of list.times) await index(db, list, within, column, false);
    }
    for (const column of list.names) await statistics(db, list, column);
  }
  await sql`
    -- The new ones begin as these do.
    DROP INDEX tasks_organization, audit_events_organization, audit_events_at, api_tokens_organization;

    -- What others have published is seen by everybody.
    CREATE INDEX catalogs_list_published ON catalogs (lower(name), id) WHERE published AND deleted_at IS NULL;

    -- What makes a remembered total of a list stale. Of what the clusters say, which is most of the log, only that a machine is gone, or back.
    CREATE INDEX change_log_lists ON change_log (kind, transaction) INCLUDE (organization_id, operation)
      WHERE operation <> 'observed' OR data ->> 'status' = 'DELETED' OR data ->> 'previous' = 'DELETED';
  `.execute(db);
}

/** Those of an index that has part of the rows are not used, and without any PostgreSQL takes every filter for one that few rows pass. */
async function statistics(db: Kysely<unknown>, { table }: Listed, column: string): Promise<void> {
  await sql.raw(`CREATE STATISTICS ${table}_lower_${column} ON lower(${column}) FROM ${table}`).execute(db);
}

async function index(
  db: Kysely<unknown>,
  { table, live: condition }: Listed,
  within: string,
  column: string,
  isText: boolean,
): Promise<void> {
  const name = [table, 'list', ...(within === '' ? [] : [within]), column].join('_');
  const keys = [...(within === '' ? [] : [within]), isText ? `lower(${column})` : column, 'id'].join(', ');
  const included = [...(isText ? [column] : []), ...(marked.has(table) ? ['deleted_at'] : [])];
  const include = included.length === 0 ? '' : `INCLUDE (${included.join(', ')})`;
  await sql
    .raw(`CREATE INDEX ${name} ON ${table} (${keys}) ${include} ${condition === 'true' ? '' : `WHERE ${condition}`}`)
    .execute(db);
}
