/**
 * Runs one statement for an operator and prints the result as a table, for looking at rows where psql is missing. It
 * changes nothing unless that is requested.
 */
import type pg from 'pg';
import type { Database } from '../../db/connection/database.ts';

export class QueryError extends Error {
  override readonly name = 'QueryError';
}

export interface QueryOptions {
  readonly write?: boolean;
}

const limitMs = 30_000;

export async function query({ pool }: Database, statement: string, { write = false }: QueryOptions): Promise<string> {
  const client = await pool.connect();
  try {
    await client.query(`BEGIN ${write ? 'READ WRITE' : 'READ ONLY'}`);
    await client.query(`SET LOCAL statement_timeout = ${limitMs}`);
    try {
      // The extended protocol allows one statement only, so the input cannot end the transaction and continue.
      const text = { text: statement, rowMode: 'array', queryMode: 'extended' } as const;
      const answer = await client.query<unknown[]>(text);
      await client.query('COMMIT');
      return shown(answer);
    } catch (cause) {
      await client.query('ROLLBACK');
      throw refused(cause);
    }
  } finally {
    client.release();
  }
}

function refused(cause: unknown): unknown {
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  if (code === undefined) return cause;
  const advice = code === '25006' ? '; to change data, use --write' : '';
  return new QueryError(`the database refuses the statement: ${message ?? code}${advice}`, { cause });
}

function shown({ fields, rows, command, rowCount }: pg.QueryArrayResult<unknown[]>): string {
  if (fields.length === 0) return `${command} ${rowCount ?? 0}\n`;
  const lines = [fields.map(({ name }) => name), ...rows.map((row) => row.map(textOf))];
  const widths = fields.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map(
      (line) =>
        `${line
          .map((cell, i) => cell.padEnd(widths[i] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replaceAll(/\s+/g, ' ');
}
