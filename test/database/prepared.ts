/**
 * A migrated data directory that every test process of this user shares: copying it takes a tenth of the time that
 * creating one takes. Its name depends on its contents, so a changed migration creates another one.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from '../../packages/ssvirt/src/db/connection/database.ts';
import { postgresAccount } from '../../packages/ssvirt/src/db/embedded/account.ts';
import { copiesFolder, findBinaries } from '../../packages/ssvirt/src/db/embedded/binaries.ts';
import { checkOwner } from '../../packages/ssvirt/src/db/embedded/owned-folder.ts';
import { startEmbeddedPostgres } from '../../packages/ssvirt/src/db/embedded/server.ts';
import { migrate } from '../../packages/ssvirt/src/db/schema/migrate.ts';

/** The name of the migrated database in it. */
export const templateName = 'ssvirt_template';

const sources = join(import.meta.dirname, '../../packages/ssvirt/src/db/migrations');
/** Names another folder than the one of this user, for trials of migrations that will not be needed again. */
export const PREPARED = 'SSVIRT_TEST_PREPARED';
const parent = process.env[PREPARED] ?? copiesFolder;
const keptMs = 24 * 3_600_000;
const uid = process.getuid?.() ?? 0;
const prefix = `ssvirt-test-postgres-${uid}-`;

export async function preparedFolder(): Promise<string> {
  const folder = join(parent, `${prefix}${contentKey()}`);
  if (!existsSync(folder)) await prepare(folder);
  checkOwner(folder, uid);
  return folder;
}

/** The hash of the binaries and the migrations. */
export function contentKey(): string {
  const hash = createHash('sha256').update(findBinaries(postgresAccount()).version);
  for (const file of globSync('*.ts', { cwd: sources }).sort())
    hash.update(file).update(readFileSync(join(sources, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Created under a temporary name first, so it is never seen half done. Two processes may do it at once. */
async function prepare(folder: string): Promise<void> {
  removeOld();
  const half = `${folder}.${randomBytes(6).toString('hex')}`;
  mkdirSync(half);
  // PostgreSQL's account must be able to enter, with any umask; the data in it are its own.
  chmodSync(half, 0o755);
  try {
    await fill(half);
    renameSync(half, folder);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    // ENOTEMPTY: another process was faster.
    if (!existsSync(folder)) throw error;
  }
}

async function fill(data: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ data });
  try {
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query(`CREATE DATABASE ${templateName}`);
    await client.end();
    const database = openDatabase({ url: inDatabase(postgres.url, templateName), maxConnections: 1 });
    await migrate(database);
    await database.close();
  } finally {
    await postgres.stop();
  }
}

function removeOld(): void {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(prefix))) {
    const path = join(parent, name);
    if (Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}

export function inDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.toString();
}
