/**
 * The PostgreSQL that all contestants write to. Each has its own copy of the same database, and a role that only the
 * contestants use.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase, type Database } from '../../packages/ssvirt/src/db/connection/database.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../packages/ssvirt/src/db/embedded/server.ts';
import { migrate } from '../../packages/ssvirt/src/db/schema/migrate.ts';
import { fillRows } from './rows.ts';
import { Probe, watchWrites } from './probe.ts';

/** fsync is on, as by default. */
const settings = {
  track_commit_timestamp: 'on',
  shared_preload_libraries: 'pg_stat_statements',
  max_connections: '60',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
};

export const role = 'controller';

/** One contestant's database. */
export interface Harness {
  /** For the contestant, with its password. */
  readonly url: string;
  readonly probe: Probe;
  drop(): Promise<void>;
}

export class Postgres {
  readonly #server: EmbeddedPostgres;
  readonly #password = randomBytes(16).toString('hex');
  #made = 0;

  private constructor(server: EmbeddedPostgres) {
    this.#server = server;
  }

  static async start(): Promise<Postgres> {
    const postgres = new Postgres(await startEmbeddedPostgres({ settings }));
    await postgres.#run(`CREATE ROLE ${role} LOGIN PASSWORD '${postgres.#password}'`);
    return postgres;
  }

  /** Creates a database with rows of VMs with these uids. Each row initially differs from its VM. */
  async template(name: string, uids: readonly string[]): Promise<void> {
    await this.#run(`CREATE DATABASE ${name} OWNER ${role}`);
    const owner = openDatabase({ url: this.#url(name, role, this.#password), statementTimeoutMs: 0 });
    await using(owner, async () => {
      await migrate(owner);
      await fillRows(owner.pool, uids);
      await watchWrites(owner.pool);
    });
    const admin = openDatabase({ url: this.#url(name) });
    await using(admin, async () => {
      await admin.pool.query('CREATE EXTENSION pg_stat_statements');
      await admin.pool.query('VACUUM ANALYZE');
    });
  }

  async copy(template: string): Promise<Harness> {
    const name = `run_${++this.#made}`;
    await this.#run(`CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${role}`);
    await this.#run('CHECKPOINT');
    const admin = openDatabase({ url: this.#url(name), maxConnections: 1, statementTimeoutMs: 0 });
    const drop = async (): Promise<void> => {
      await admin.close();
      await this.drop(name);
    };
    return { url: this.#url(name, role, this.#password), probe: new Probe(admin.pool, role), drop };
  }

  drop(name: string): Promise<void> {
    return this.#run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  #url(database: string, user?: string, password?: string): string {
    const url = new URL(this.#server.url);
    url.pathname = `/${database}`;
    if (user !== undefined) url.username = user;
    if (password !== undefined) url.password = password;
    return url.href;
  }

  async #run(statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.#server.url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  }
}

async function using(database: Database, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await database.close();
  }
}
