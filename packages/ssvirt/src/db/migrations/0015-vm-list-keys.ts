/**
 * What lists of VMs are filtered and sorted by: the desired state, the observation and the names of the VDC and the owner are in four tables, and no index
 * spans two. Triggers copy each value from the table that has it, and every statement writes only the columns that come from its own table. So whoever writes
 * last cannot overwrite the others' news, and what is shown is generated from the copies. The status is in a table of its own: it changes most often, and each
 * change of a row is a new entry in every index of its table.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await tables(db);
  await fromVms(db);
  await fromObservations(db);
  await fromNames(db);
  // After the triggers, which lock the tables: what is written meanwhile waits.
  for (const copy of [states, keys])
    await sql
      .raw(
        insert(copy, [...copy.desired, ...copy.observed], `vms r ${names} LEFT JOIN vm_observed o ON o.vm_id = r.id`),
      )
      .execute(db);
  await indexes(db);
}

/** A column and its value: of the row `r` of vms with its VDC `d` and its owner `u`, or of the row `o` of vm_observed. */
type Column = readonly [name: string, value: string];

interface Copy {
  readonly table: string;
  readonly desired: readonly Column[];
  readonly observed: readonly Column[];
}

const names = 'JOIN vdcs d ON d.id = r.vdc_id LEFT JOIN users u ON u.id = r.owner_id';

/** Long texts do not fit into an index; a guest chooses some of them. */
const key = (text: string): string => `lower(left(${text}, 200))`;

const places: readonly Column[] = [
  ['vm_id', 'r.id'],
  ['organization_id', 'r.organization_id'],
  ['vdc_id', 'r.vdc_id'],
  ['vapp_id', 'r.vapp_id'],
];

const states: Copy = {
  table: 'vm_list_states',
  desired: [
    ['deleted_at', 'r.deleted_at'],
    ['desired_state', 'r.desired_state'],
  ],
  observed: [['observed_status', 'o.status']],
};

const keys: Copy = {
  table: 'vm_list_keys',
  desired: [
    ['deleted_at', 'r.deleted_at'],
    ['desired_state', 'r.desired_state'],
    ['desired_cpu_count', 'r.cpu_count'],
    ['desired_memory_mb', 'r.memory_mb'],
    ['desired_guest_os', 'r.guest_os'],
  ],
  observed: [
    ['observed_gone', 'coalesce(o.gone, false)'],
    ['observed_cpu_count', 'o.cpu_count'],
    ['observed_memory_mb', 'o.memory_mb'],
    ['observed_guest_os', 'o.guest_os'],
    // What is no address is left out: the guest reports some of them.
    [
      'ip_addresses',
      `ARRAY(SELECT k.address FROM unnest(o.ip_addresses) WITH ORDINALITY a (address, place), list_address(a.address) AS k (address)
        WHERE k.address IS NOT NULL ORDER BY a.place)`,
    ],
  ],
};

/** Written with the row; later only by a statement on the VDC or the owner. */
const named: readonly Column[] = [
  ['vdc_name', key('d.name')],
  ['owner_id', 'r.owner_id'],
  ['owner_name', key(`coalesce(u.username, '')`)],
];

const list = (columns: readonly Column[], at: 0 | 1): string => columns.map((column) => column[at]).join(', ');

function insert(copy: Copy, columns: readonly Column[], from: string): string {
  const all = [...places, ...(copy === keys ? named : []), ...columns];
  return `INSERT INTO ${copy.table} (${list(all, 0)}) SELECT ${list(all, 1)} FROM ${from}`;
}

/** In the order of the ids, in which all who write several rows lock them. */
function upsert(copy: Copy, of: 'desired' | 'observed', from: string): string {
  const columns = of === 'desired' ? copy.desired : [...copy.desired, ...copy.observed];
  const written = copy[of].map(([name]) => `${name} = excluded.${name}`).join(', ');
  return `${insert(copy, columns, from)} ORDER BY r.id ON CONFLICT (vm_id) DO UPDATE SET ${written}`;
}

/** Columns of the changed table, for a statement on rows in which one of them differs. */
function differs(columns: readonly string[], now: string, before: string): string {
  const [one, other] = [now, before].map((row) => columns.map((column) => `${row}.${column}`).join(', '));
  return `(${one}) IS DISTINCT FROM (${other})`;
}

/** A key is never null: what has no value comes first. Numbers are numeric, as the values of filters are. */
async function tables(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- PostgreSQL before 16 cannot ask whether a text is an address.
    CREATE FUNCTION list_address(address text) RETURNS inet LANGUAGE plpgsql IMMUTABLE STRICT AS $function$
    BEGIN
      RETURN host(address::inet)::inet;
    EXCEPTION WHEN invalid_text_representation THEN
      RETURN NULL;
    END $function$;

    CREATE TABLE vm_list_states (
      vm_id uuid PRIMARY KEY REFERENCES vms ON DELETE CASCADE,
      organization_id uuid NOT NULL,
      vdc_id uuid NOT NULL,
      vapp_id uuid NOT NULL,
      deleted_at timestamptz,
      desired_state text NOT NULL,
      observed_status text,
      listed boolean NOT NULL GENERATED ALWAYS AS (deleted_at IS NULL AND observed_status IS DISTINCT FROM 'DELETED') STORED,
      -- Deleted in its cluster, without a request here.
      gone boolean NOT NULL GENERATED ALWAYS AS (desired_state = 'present' AND coalesce(observed_status = 'DELETED', false)) STORED,
      status text NOT NULL GENERATED ALWAYS AS (lower(shown_vm_status(deleted_at, desired_state, observed_status))) STORED
    );
    CREATE TABLE vm_list_keys (
      vm_id uuid PRIMARY KEY REFERENCES vms ON DELETE CASCADE,
      organization_id uuid NOT NULL,
      vdc_id uuid NOT NULL,
      vapp_id uuid NOT NULL,
      vdc_name text NOT NULL,
      owner_id uuid,
      owner_name text NOT NULL,
      deleted_at timestamptz,
      desired_state text NOT NULL,
      desired_cpu_count integer,
      desired_memory_mb bigint,
      desired_guest_os text,
      observed_gone boolean NOT NULL DEFAULT false,
      observed_cpu_count integer,
      observed_memory_mb bigint,
      observed_guest_os text,
      ip_addresses inet[] NOT NULL DEFAULT '{}',
      listed boolean NOT NULL GENERATED ALWAYS AS (deleted_at IS NULL AND NOT observed_gone) STORED,
      gone boolean NOT NULL GENERATED ALWAYS AS (desired_state = 'present' AND observed_gone) STORED,
      cpus numeric NOT NULL GENERATED ALWAYS AS (coalesce(desired_cpu_count, observed_cpu_count, -1)) STORED,
      memory_mb numeric NOT NULL GENERATED ALWAYS AS (coalesce(desired_memory_mb, observed_memory_mb, -1)) STORED,
      guest_os text NOT NULL GENERATED ALWAYS AS (lower(left(coalesce(observed_guest_os, desired_guest_os, ''), 200))) STORED,
      address inet NOT NULL GENERATED ALWAYS AS (coalesce(ip_addresses[1], '0.0.0.0/0')) STORED
    );
  `.execute(db);
}

async function trigger(
  db: Kysely<unknown>,
  {
    on,
    event,
    statements,
    unless = 'false',
  }: {
    readonly on: string;
    readonly event: 'INSERT' | 'UPDATE';
    readonly statements: readonly string[];
    /** Then there is nothing to do. */
    readonly unless?: string;
  },
): Promise<void> {
  const name = `list_${on}_${event.toLowerCase()}`;
  const rows = event === 'INSERT' ? 'NEW TABLE AS new_rows' : 'OLD TABLE AS old_rows NEW TABLE AS new_rows';
  await sql
    .raw(`
    -- The writer of observations plans without hash joins; here a thousand new rows are joined with a thousand old ones. EXECUTE, so that each batch is
    -- planned by its own size.
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on AS $function$
    BEGIN
      IF NOT EXISTS (SELECT FROM new_rows) OR ${unless} THEN RETURN NULL; END IF;
      ${statements.map((statement) => `EXECUTE $statement$${statement}$statement$;`).join('\n      ')}
      RETURN NULL;
    END $function$;
    CREATE TRIGGER ${name} AFTER ${event} ON ${on} REFERENCING ${rows} FOR EACH STATEMENT EXECUTE FUNCTION ${name}();
  `)
    .execute(db);
}

async function fromVms(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // A statement that renames the VDC or the owner at the same time does not see the new VM: it waits, or it is over before the name is read.
    'SELECT FROM vdcs WHERE id IN (SELECT vdc_id FROM new_rows) ORDER BY id FOR SHARE',
    'SELECT FROM users WHERE id IN (SELECT owner_id FROM new_rows) ORDER BY id FOR SHARE',
    ...[states, keys].map((copy) => upsert(copy, 'desired', `new_rows r ${names}`)),
  ];
  await trigger(db, { on: 'vms', event: 'INSERT', statements });
  const columns = (copy: Copy): readonly string[] => copy.desired.map(([, value]) => value.replace('r.', ''));
  const update = (copy: Copy): string => `
    WITH changed AS MATERIALIZED (SELECT r.* FROM new_rows r JOIN old_rows o ON o.id = r.id AND ${differs(columns(copy), 'r', 'o')}),
    locked AS MATERIALIZED (
      SELECT k.vm_id FROM ${copy.table} k WHERE k.vm_id IN (SELECT id FROM changed) ORDER BY k.vm_id FOR NO KEY UPDATE
    )
    UPDATE ${copy.table} k SET (${list(copy.desired, 0)}) = ROW (${list(copy.desired, 1)})
    FROM changed r JOIN locked l ON l.vm_id = r.id WHERE k.vm_id = r.id`;
  await trigger(db, { on: 'vms', event: 'UPDATE', statements: [states, keys].map(update) });
}

async function fromObservations(db: Kysely<unknown>): Promise<void> {
  // The row of a discovered VM is written in the same statement, whose triggers come in any order.
  const from = `new_rows o JOIN vms r ON r.id = o.vm_id ${names}`;
  const statements = [states, keys].map((copy) => upsert(copy, 'observed', from));
  await trigger(db, { on: 'vm_observed', event: 'INSERT', statements });
  // The writer holds the rows already.
  const update = (copy: Copy, columns: readonly string[]): string => `
    UPDATE ${copy.table} k SET (${list(copy.observed, 0)}) = ROW (${list(copy.observed, 1)})
    FROM new_rows o JOIN old_rows b ON b.vm_id = o.vm_id AND ${differs(columns, 'o', 'b')} WHERE k.vm_id = o.vm_id`;
  await trigger(db, {
    on: 'vm_observed',
    event: 'UPDATE',
    statements: [
      update(states, ['status']),
      update(keys, ['gone', 'cpu_count', 'memory_mb', 'guest_os', 'ip_addresses']),
    ],
  });
}

/** Only a rename writes here, and only to the rows of that VDC or user. */
async function fromNames(db: Kysely<unknown>): Promise<void> {
  for (const { on, column, name } of [
    { on: 'vdcs', column: 'vdc', name: 'name' },
    { on: 'users', column: 'owner', name: 'username' },
  ]) {
    const renamed = `new_rows r JOIN old_rows o ON o.id = r.id AND r.${name} <> o.${name}`;
    const statement = `
      WITH renamed AS MATERIALIZED (
        SELECT k.vm_id, ${key(`r.${name}`)} AS name FROM ${renamed} JOIN vm_list_keys k ON k.${column}_id = r.id
        ORDER BY k.vm_id FOR NO KEY UPDATE OF k
      )
      UPDATE vm_list_keys k SET ${column}_name = r.name FROM renamed r WHERE k.vm_id = r.vm_id`;
    await trigger(db, { on, event: 'UPDATE', statements: [statement], unless: `NOT EXISTS (SELECT FROM ${renamed})` });
  }
}

/** For each order, one index for an organization and one for all. The latter serves a VDC, too: it has the VDC of each VM. */
async function indexes(db: Kysely<unknown>): Promise<void> {
  for (const column of ['address', 'guest_os', 'cpus', 'memory_mb', 'owner_name', 'vdc_name'])
    await sql
      .raw(`
      CREATE INDEX vm_list_keys_${column} ON vm_list_keys (${column}, vm_id) INCLUDE (vdc_id) WHERE listed;
      CREATE INDEX vm_list_keys_organization_${column} ON vm_list_keys (organization_id, ${column}, vm_id) WHERE listed;
    `)
      .execute(db);
  await sql`
    CREATE INDEX vm_list_keys_ip_addresses ON vm_list_keys USING gin (ip_addresses) WHERE listed;
    CREATE INDEX vm_list_keys_vdc ON vm_list_keys (vdc_id);
    CREATE INDEX vm_list_keys_owner ON vm_list_keys (owner_id) WHERE owner_id IS NOT NULL;

    -- With those that are gone: a filter can name their status.
    CREATE INDEX vm_list_states_status ON vm_list_states (status, vm_id) INCLUDE (listed, gone);
    CREATE INDEX vm_list_states_organization_status ON vm_list_states (organization_id, status, vm_id) INCLUDE (listed, gone);
    CREATE INDEX vm_list_states_vdc_status ON vm_list_states (vdc_id, status, vm_id) INCLUDE (listed, gone);

    CREATE INDEX vms_list_created_at ON vms (created_at, id) INCLUDE (vdc_id, deleted_at);
    CREATE INDEX vms_list_organization_id_created_at ON vms (organization_id, created_at, id) INCLUDE (deleted_at);

    ANALYZE vm_list_keys, vm_list_states;
  `.execute(db);
}
