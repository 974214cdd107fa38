/** Constraint violations as errors that callers can distinguish. */
import pg from 'pg';

/** The columns of a unique index, in words for the caller who chose the values. */
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

/** The row that a column refers to does not exist or is deleted. */
export class Missing extends Error {
  override readonly name = 'Missing';
  readonly table: string;
  readonly column: string;

  constructor(table: string, column: string, options?: ErrorOptions) {
    super(`cannot write to ${table}: what its ${column} refers to does not exist`, options);
    this.table = table;
    this.column = column;
  }
}

/** Live rows of another table belong to the row to be deleted. */
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

/** `fitting` awaits a write and translates PostgreSQL's key violations to `Duplicate` or `Missing`. */
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
  // PostgreSQL names foreign keys table_column_fkey.
  return new Missing(table, constraint.slice(table.length + 1, -'_fkey'.length), { cause });
}
