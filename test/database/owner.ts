/**
 * A process that starts an embedded PostgreSQL, prints its address, and waits to be killed. Its argument is the options
 * as JSON.
 */
import pg from 'pg';
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from '../../packages/ssvirt/src/db/embedded/server.ts';

const postgres = await startEmbeddedPostgres(JSON.parse(process.argv[2] ?? '{}') as EmbeddedPostgresOptions);
const client = new pg.Client(postgres.url);
await client.connect();
const { rows } = await client.query<{ version: string }>(`SELECT current_setting('server_version') AS version`);
await client.end();
process.stdout.write(`${JSON.stringify({ url: postgres.url, folder: postgres.folder, version: rows[0]?.version })}\n`);
process.stdin.resume().once('end', () => void postgres.stop());
