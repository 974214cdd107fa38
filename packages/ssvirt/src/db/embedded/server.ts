/**
 * A real PostgreSQL from npm on this computer, for development and tests. It listens on 127.0.0.1 only and requires a
 * password.
 */
import { rmSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { chosenPorts, reservePort } from '@ssvirt/base/net/port-reservation';
import { postgresAccount, type Account } from './account.ts';
import { findBinaries, type Binaries } from './binaries.ts';
import {
  copiedFolder,
  initialise,
  persistentFolder,
  throwAwayFolder,
  userName,
  type DataFolder,
} from './data-folder.ts';
import { stopLeftOver } from './left-over.ts';
import { startPostmaster, type Postmaster } from './postmaster.ts';

export interface EmbeddedPostgresOptions {
  /** The folder that keeps the data over restarts. Without it the data is removed when the server stops. */
  readonly data?: string;
  /**
   * Throw-away data starts as a copy of this folder, which was the `data` of a server that was stopped. That is faster
   * than initdb.
   */
  readonly copyOf?: string;
  /** The default 0 takes a free port. */
  readonly port?: number;
  /** When off, a crash of the computer may lose the data. For tests. */
  readonly fsync?: boolean;
  /** Settings of postgresql.conf, such as track_commit_timestamp. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** Contains the password: do not log it. */
  readonly url: string;
  readonly port: number;
  /** The folder that contains the data directory. */
  readonly folder: string;
  /** A fast shutdown, and SIGKILL after a deadline. A `data` folder is kept. */
  readonly stop: () => Promise<void>;
  /** Kills the postmaster and its backends with SIGKILL, like a crash. */
  readonly kill: () => Promise<void>;
  /** Starts again after `kill`, on the same data and port. */
  readonly start: () => Promise<void>;
  /** Resolves when the running server has ended: a caller that did not request that has lost it. */
  readonly ended: () => Promise<void>;
}

const attempts = 5;

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions = {}): Promise<EmbeddedPostgres> {
  const account = postgresAccount();
  const binaries = findBinaries(account);
  const folder = folderFor(options, account);
  try {
    await stopLeftOver(folder.data);
    await initialise(folder, binaries, account);
    return await running({ options, account, binaries, folder });
  } catch (error) {
    if (folder.isThrowAway) rmSync(folder.home, { recursive: true, force: true });
    throw error;
  }
}

function folderFor({ data, copyOf }: EmbeddedPostgresOptions, account: Account | undefined): DataFolder {
  if (data !== undefined) return persistentFolder(data, account);
  return copyOf === undefined ? throwAwayFolder(account) : copiedFolder(persistentFolder(copyOf, account), account);
}

interface Ground {
  readonly options: EmbeddedPostgresOptions;
  readonly account: Account | undefined;
  readonly binaries: Binaries;
  readonly folder: DataFolder;
}

async function running(ground: Ground): Promise<EmbeddedPostgres> {
  const { folder } = ground;
  const { port, ...first } = await startOnPort(ground);
  let { postmaster } = first;
  let isRunning = true;
  return {
    url: `postgres://${userName}:${folder.password}@127.0.0.1:${port}/postgres`,
    port,
    folder: folder.home,
    async stop() {
      if (isRunning) await postmaster.stop();
      isRunning = false;
      if (folder.isThrowAway) rmSync(folder.home, { recursive: true, force: true });
    },
    async kill() {
      if (isRunning) await postmaster.kill();
      isRunning = false;
    },
    async start() {
      if (isRunning) return;
      postmaster = await startPostmaster({ ...ground, port, settings: settingsOf(ground.options) });
      isRunning = true;
    },
    ended: () => postmaster.ended,
  };
}

/** Another process may take a free port before PostgreSQL binds it; then another port is tried. */
async function startOnPort(ground: Ground): Promise<{ readonly port: number; readonly postmaster: Postmaster }> {
  const { options } = ground;
  const settings = settingsOf(options);
  for (let attempt = 1; ; attempt++) {
    const wanted = options.port ?? 0;
    const port = wanted === 0 ? await freePort() : wanted;
    try {
      return { port, postmaster: await startPostmaster({ ...ground, port, settings }) };
    } catch (error) {
      const isTaken = error instanceof Error && error.message.includes('could not bind');
      if (!isTaken || wanted !== 0 || attempt === attempts) throw error;
    }
  }
}

function settingsOf({ fsync = true, settings = {} }: EmbeddedPostgresOptions): Readonly<Record<string, string>> {
  return { ...(fsync ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }), ...settings };
}

async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(chosenPorts.from, chosenPorts.to);
    const server = createServer();
    const isFree = await new Promise<boolean>((done, fail) => {
      server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(false) : fail(error)));
      server.listen(port, '127.0.0.1', () => done(true));
    });
    if (!isFree) continue;
    await new Promise((done) => server.close(done));
    if (reservePort(port)) return port;
  }
}
