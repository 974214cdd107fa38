/** The ways in which a row does not fit to the others, as errors that a caller can tell apart. */
import pg from 'pg';

/** What the columns of a unique index are to the one who chose the values. */
const keys: Readonly<Record<string, string>> = {
  organizations_live_name: 'name',
  users_live_name: 'username',
  api_tokens_live_name: 'name',
  vdcs_live_name: 'name',
  vdcs_live_namespace: 'cluster and namespace',
  catalogs_live_name: 'name',
  catalog_items_live_name: 'name',
  vapps_live_name: 'name',
  vms_live_name: 'name',
  vms_live_object: 'cluster, namespace and VirtualMachine',
};

/** Another live row has the same key. */
export class Duplicate extends Error {
  override readonly name = 'Duplicate';
  readonly table: string;
  readonly key: string;

  constructor(table: string, key: string, options?: ErrorOptions) {
    super(`cannot write to ${table}: another row has the same ${key}; choose another one`, options);
    this.table = table;
    this.key = key;
  }
}

/** The row that a column names is not there, or is deleted. */
export class Missing extends Error {
  override readonly name = 'Missing';
  readonly table: string;
  readonly column: string;

  constructor(table: string, column: string, options?: ErrorOptions) {
    super(`cannot write to ${table}: what its ${column} names is not there (any more)`, options);
    this.table = table;
    this.column = column;
  }
}

/** Live rows of another table belong to the one that was to be deleted. */
export class InUse extends Error {
  override readonly name = 'InUse';
  readonly table: string;
  readonly by: string;

  constructor(table: string, by: string) {
    super(`cannot delete from ${table}: ${by} still belong to the row; delete them first`);
    this.table = table;
    this.by = by;
  }
}

const uniqueViolation = '23505';
const foreignKeyViolation = '23503';

/** Does a write; what PostgreSQL says of keys becomes `Duplicate` or `Missing`. */
export async function fitting<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw misfit(error) ?? error;
  }
}

function misfit(cause: unknown): Error | undefined {
  if (!(cause instanceof pg.DatabaseError)) return undefined;
  const { code, table = '', constraint = '' } = cause;
  if (code === uniqueViolation) return new Duplicate(table, keys[constraint] ?? constraint, { cause });
  if (code !== foreignKeyViolation) return undefined;
  // PostgreSQL's own names: table_column_fkey.
  return new Missing(table, constraint.slice(table.length + 1, -'_fkey'.length), { cause });
}
