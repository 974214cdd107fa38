/**
 * A data directory with all migrations done, kept for every test process of this user: to copy it takes a tenth of the time that it takes to make one.
 * Its name says what is in it, so that a changed migration makes another.
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
import { openDatabase } from '../../src/db/database.ts';
import { postgresAccount } from '../../src/db/embedded/account.ts';
import { copiesFolder, findBinaries } from '../../src/db/embedded/binaries.ts';
import { checkOwner } from '../../src/db/embedded/owned-folder.ts';
import { startEmbeddedPostgres } from '../../src/db/embedded/server.ts';
import { migrate } from '../../src/db/migrate.ts';

/** The name of the migrated database in it. */
export const templateName = 'ssvirt_template';

const sources = join(import.meta.dirname, '../../src/db/migrations');
/** Names a folder for these instead of the one of this user: for whoever tries migrations that nobody will need again. */
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

/** Of the binaries and the migrations. */
export function contentKey(): string {
  const hash = createHash('sha256').update(findBinaries(postgresAccount()).version);
  for (const file of globSync('*.ts', { cwd: sources }).sort())
    hash.update(file).update(readFileSync(join(sources, file)));
  return hash.digest('hex').slice(0, 16);
}

/** Under another name first: nobody ever sees half of it. Two that make one at once are no harm. */
async function prepare(folder: string): Promise<void> {
  removeOld();
  const half = `${folder}.${randomBytes(6).toString('hex')}`;
  mkdirSync(half);
  // PostgreSQL's account must get through, whatever the umask; the data in it are its own.
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
