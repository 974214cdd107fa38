/** The bench's PostgreSQL: with fsync, and with a role that only the API server uses. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { openDatabase } from '../../packages/ssvirt/src/db/connection/database.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../packages/ssvirt/src/db/embedded/server.ts';
import { migrate } from '../../packages/ssvirt/src/db/schema/migrate.ts';

const settings = {
  // auto_explain is loaded but off; plans.ts turns it on for its own sessions.
  shared_preload_libraries: 'auto_explain,pg_stat_statements',
  max_connections: '60',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
};

const ticks = 100;

export class Postgres {
  readonly #server: EmbeddedPostgres;
  /** For the bench itself. */
  readonly admin: pg.Pool;
  /** For the API server. */
  readonly url: string;
  /** A URL whose sessions report the plan of each statement to the client. */
  readonly explainedUrl: string;
  #postmaster = 0;

  private constructor(server: EmbeddedPostgres, passwords: Passwords) {
    this.#server = server;
    this.url = urlOf(server.url, 'api', passwords.api);
    this.explainedUrl = urlOf(server.url, 'explained', passwords.explained);
    this.admin = new pg.Pool({ connectionString: urlOf(server.url), max: 2 });
    // If a run fails, the server stops before the pool.
    this.admin.on('error', () => undefined);
  }

  /** `more` are additional PostgreSQL settings. */
  static async start(
    fill: (pool: pg.Pool) => Promise<void>,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Postgres> {
    const server = await startEmbeddedPostgres({ settings: { ...settings, ...more } });
    const passwords = { api: randomBytes(16).toString('hex'), explained: randomBytes(16).toString('hex') };
    const postgres = new Postgres(server, passwords);
    try {
      await postgres.#prepare(passwords, fill);
    } catch (error) {
      await postgres.stop();
      throw error;
    }
    return postgres;
  }

  /** Processor seconds of the server and all its backends, including those that have ended. */
  cpuSeconds(): number {
    const own = statOf(this.#postmaster);
    if (own === undefined) return 0;
    const children = readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => statOf(Number(name)) ?? [])
      .filter(({ parent }) => parent === this.#postmaster);
    return children.reduce((sum, { cpu }) => sum + cpu, own.cpu + own.ended) / ticks;
  }

  /** Statement counts start from here. */
  async forgetStatements(): Promise<void> {
    await this.admin.query('SELECT pg_stat_statements_reset()');
  }

  /** ssvirt's statements since `forgetStatements`, the most expensive first. */
  async statements(): Promise<readonly Statement[]> {
    const { rows } = await this.admin.query<Statement>(
      `SELECT query AS text, calls::float8 AS calls, total_exec_time AS milliseconds FROM pg_stat_statements s JOIN pg_roles r ON r.oid = s.userid
       WHERE r.rolname = 'api' ORDER BY total_exec_time DESC`,
    );
    return rows;
  }

  async stop(): Promise<void> {
    await this.admin.end();
    await this.#server.stop();
  }

  async #prepare(passwords: Passwords, fill: (pool: pg.Pool) => Promise<void>): Promise<void> {
    const client = new pg.Client({ connectionString: this.#server.url });
    await client.connect();
    await client.query(`
      CREATE ROLE api LOGIN PASSWORD '${passwords.api}';
      CREATE ROLE explained SUPERUSER LOGIN PASSWORD '${passwords.explained}';
      ALTER ROLE explained SET auto_explain.log_min_duration = 0;
      ALTER ROLE explained SET auto_explain.log_level = notice;
      ALTER ROLE explained SET auto_explain.log_format = json;
      ALTER ROLE explained SET auto_explain.log_analyze = on;
      ALTER ROLE explained SET auto_explain.log_timing = off;
    `);
    await client.query(`CREATE DATABASE ${database} OWNER api`);
    await client.end();
    const owner = openDatabase({ url: this.url, statementTimeoutMs: 0 });
    try {
      await migrate(owner);
      await fill(owner.pool);
    } finally {
      await owner.close();
    }
    await this.admin.query('CREATE EXTENSION pg_stat_statements');
    await this.admin.query('VACUUM ANALYZE');
    await this.admin.query('CHECKPOINT');
    const { rows } = await this.admin.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    this.#postmaster = statOf(rows[0]?.pid ?? 0)?.parent ?? 0;
  }
}

export interface Statement {
  readonly text: string;
  readonly calls: number;
  /** The total over all executions, in PostgreSQL. */
  readonly milliseconds: number;
}

interface Passwords {
  readonly api: string;
  readonly explained: string;
}

const database = 'bench';

function urlOf(server: string, user?: string, password?: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  if (user !== undefined) url.username = user;
  if (password !== undefined) url.password = password;
  return url.href;
}

interface Stat {
  readonly parent: number;
  /** Ticks of the process itself and of its ended children. */
  readonly cpu: number;
  readonly ended: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const at = (index: number): number => Number(fields[index]);
    return { parent: at(1), cpu: at(11) + at(12), ended: at(13) + at(14) };
  } catch {
    return undefined; // The process has just ended.
  }
}
