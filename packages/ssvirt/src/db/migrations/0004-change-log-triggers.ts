/**
 * Every change of what is shown becomes a row of change_log in the transaction that makes it, and wakes the readers. Statement by statement and not row
 * by row: the vm-controller writes a thousand machines at once. EXECUTE, so that each batch is planned by its own size: a plan for one row that is kept
 * would compare each of a thousand rows with each.
 */
import { sql, type Kysely } from 'kysely';

interface Logged {
  readonly table: string;
  readonly kind: string;
  readonly key: string;
  /** Expressions over the row `r` and the tables of `joins`. */
  readonly organization: string;
  readonly vdc: string;
  readonly vapp: string;
  readonly joins: string;
  readonly data: string;
}

const nothing = 'NULL::uuid';
const ofVdc = 'LEFT JOIN vdcs d ON d.id = r.vdc_id';
const ofVapp = 'LEFT JOIN vapps a ON a.id = r.vapp_id LEFT JOIN vdcs d ON d.id = a.vdc_id';
const plain = { key: 'id', vdc: nothing, vapp: nothing, joins: '', data: `'{}'::jsonb` };
const inVapp = { organization: 'd.organization_id', vdc: 'a.vdc_id' };

/** What people ask for: created, updated, and deleted by `deleted_at` or for good. */
const desired: readonly Logged[] = [
  { ...plain, table: 'organizations', kind: 'organization', organization: 'r.id' },
  { ...plain, table: 'users', kind: 'user', organization: 'r.organization_id' },
  { ...plain, table: 'vdcs', kind: 'vdc', organization: 'r.organization_id', vdc: 'r.id' },
  { ...plain, table: 'catalogs', kind: 'catalog', organization: 'r.organization_id' },
  {
    ...plain,
    table: 'catalog_items',
    kind: 'catalogItem',
    organization: 'c.organization_id',
    joins: 'LEFT JOIN catalogs c ON c.id = r.catalog_id',
  },
  {
    ...plain,
    table: 'vapps',
    kind: 'vapp',
    organization: 'd.organization_id',
    vdc: 'r.vdc_id',
    vapp: 'r.id',
    joins: ofVdc,
  },
  { ...plain, ...inVapp, table: 'vms', kind: 'vm', vapp: 'r.vapp_id', joins: ofVapp },
  {
    ...plain,
    table: 'tasks',
    kind: 'task',
    organization: 'r.organization_id',
    data: `jsonb_build_object('status', r.status, 'progress', r.progress, 'operation', r.operation, 'ownerKind', r.owner_kind, 'ownerId', r.owner_id)`,
  },
];

interface LoggedObservation extends Logged {
  /** What is shown; when the rest differs (the order of writes, the time of the last look) nothing has happened. */
  readonly shown: readonly string[];
}

const observed: readonly LoggedObservation[] = [
  {
    ...inVapp,
    table: 'vm_observed',
    kind: 'vm',
    key: 'vm_id',
    vapp: 'v.vapp_id',
    joins:
      'LEFT JOIN vms v ON v.id = r.vm_id LEFT JOIN vapps a ON a.id = v.vapp_id LEFT JOIN vdcs d ON d.id = a.vdc_id',
    data: `jsonb_build_object('status', r.status, 'previous', o.status)`,
    shown: [
      'status',
      'busy',
      'restart_required',
      'fault_reason',
      'fault',
      'cpu_count',
      'memory_mb',
      'guest_os',
      'ip_addresses',
      'node',
      'host_name',
      'disks',
      'uid',
      'name',
    ],
  },
  {
    ...inVapp,
    table: 'vapp_observed',
    kind: 'vapp',
    key: 'vapp_id',
    vapp: 'r.vapp_id',
    joins: ofVapp,
    data: `jsonb_build_object('creation', r.creation)`,
    shown: ['creation', 'fault', 'name'],
  },
  {
    // A cluster that cannot be read makes all its machines stale: one row here, not ten thousand. It has no uuid; its name makes one.
    table: 'clusters',
    kind: 'cluster',
    key: 'name',
    organization: nothing,
    vdc: nothing,
    vapp: nothing,
    joins: '',
    data: `jsonb_build_object('name', r.name, 'state', r.state)`,
    shown: ['state', 'message', 'unreadable_namespaces', 'identity', 'accepted_identity'],
  },
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const one of desired) await install(db, one.table, 'ssvirt_changes', desiredStatements(one));
  // A channel of its own: who asks for what people do is not woken by every batch of what the clusters do.
  for (const one of observed) await install(db, one.table, 'ssvirt_observations', observedStatements(one));
  await rememberPurge(db);
}

/** Up to where rows have been removed: a reader that stands before it has missed some, and must be told. */
async function rememberPurge(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE change_log_purged (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      transaction xid8 NOT NULL DEFAULT '0',
      sequence bigint NOT NULL DEFAULT 0
    );
    INSERT INTO change_log_purged DEFAULT VALUES;

    CREATE FUNCTION remember_purge() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      UPDATE change_log_purged p SET transaction = d.transaction, sequence = d.sequence
      FROM (SELECT transaction, sequence FROM old_rows ORDER BY transaction DESC, sequence DESC LIMIT 1) d
      WHERE (d.transaction, d.sequence) > (p.transaction, p.sequence);
      RETURN NULL;
    END $function$;
    CREATE TRIGGER remember_purge AFTER DELETE ON change_log
      REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION remember_purge();
  `.execute(db);
}

type Event = 'INSERT' | 'UPDATE' | 'DELETE';
type Statements = Readonly<Partial<Record<Event, string>>>;

function desiredStatements(one: Logged): Statements {
  const goes = one.table === 'tasks' ? 'false' : 'r.deleted_at IS NOT NULL AND o.deleted_at IS NULL';
  // What was marked as deleted before has been told: that its row goes at the end of the retention is nobody's news.
  const isNews = one.table === 'tasks' ? 'true' : 'r.deleted_at IS NULL';
  return {
    INSERT: append(one, `'created'`, `new_rows r ${one.joins}`),
    UPDATE: append(
      one,
      `CASE WHEN ${goes} THEN 'deleted' ELSE 'updated' END`,
      `new_rows r JOIN old_rows o ON o.id = r.id ${one.joins} WHERE r IS DISTINCT FROM o`,
    ),
    DELETE: append(one, `'deleted'`, `old_rows r ${one.joins} WHERE ${isNews}`),
  };
}

function observedStatements(one: LoggedObservation): Statements {
  const columns = (alias: string): string => one.shown.map((name) => `${alias}.${name}`).join(', ');
  const differs = `(${columns('r')}) IS DISTINCT FROM (${columns('o')})`;
  const joined = `new_rows r JOIN old_rows o ON o.${one.key} = r.${one.key}`;
  const withNone = `new_rows r LEFT JOIN ${one.table} o ON false`;
  return {
    INSERT: append(one, `'observed'`, `${withNone} ${one.joins}`),
    UPDATE: append(one, `'observed'`, `${joined} ${one.joins} WHERE ${differs}`),
  };
}

function append(one: Logged, operation: string, from: string): string {
  const id = one.key === 'name' ? 'md5(r.name)::uuid' : `r.${one.key}`;
  return `INSERT INTO change_log (kind, operation, entity_id, organization_id, vdc_id, vapp_id, data)
    SELECT '${one.kind}', ${operation}, ${id}, ${one.organization}, ${one.vdc}, ${one.vapp}, ${one.data} FROM ${from}`;
}

const transitionTables: Readonly<Record<Event, string>> = {
  INSERT: 'NEW TABLE AS new_rows',
  UPDATE: 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
  DELETE: 'OLD TABLE AS old_rows',
};

async function install(db: Kysely<unknown>, table: string, channel: string, statements: Statements): Promise<void> {
  for (const [event, statement] of Object.entries(statements) as readonly (readonly [Event, string])[]) {
    const name = `log_${table}_${event.toLowerCase()}`;
    const rows = event === 'DELETE' ? 'old_rows' : 'new_rows';
    await sql
      .raw(`
      -- The writer of observations plans without hash joins; here a thousand new rows are joined with a thousand old ones.
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on AS $function$
      DECLARE
        logged bigint;
      BEGIN
        -- A statement that changes nothing fires too, and is to cost nothing.
        IF NOT EXISTS (SELECT FROM ${rows}) THEN RETURN NULL; END IF;
        EXECUTE $statement$${statement}$statement$;
        GET DIAGNOSTICS logged = ROW_COUNT;
        IF logged > 0 THEN NOTIFY ${channel}; END IF;
        RETURN NULL;
      END $function$;
      CREATE TRIGGER ${name} AFTER ${event} ON ${table}
        REFERENCING ${transitionTables[event]} FOR EACH STATEMENT EXECUTE FUNCTION ${name}();
    `)
      .execute(db);
  }
}
