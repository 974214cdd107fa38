/** The only way to PostgreSQL: a pool of connections with typed SQL on top. */
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { openConnections, type Connections, type DatabaseOptions } from './connections.ts';
import type { Tables } from '../schema/schema.ts';
import { preparing } from './statements.ts';

export type { DatabaseOptions } from './connections.ts';

export interface Database extends Connections {
  readonly db: Kysely<Tables>;
}

/** `openDatabase` connects with the first statement, not here. */
export function openDatabase(options: DatabaseOptions): Database {
  const connections = openConnections(options);
  return { ...connections, db: typedSql(connections.pool) };
}

export function typedSql(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: preparing(pool) }) });
}
