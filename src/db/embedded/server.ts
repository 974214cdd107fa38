/** A real PostgreSQL on this machine, from npm, for development and tests. It listens on 127.0.0.1 only and asks for a password. */
import { rmSync } from 'node:fs';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { postgresAccount, type Account } from './account.ts';
import { findBinaries, type Binaries } from './binaries.ts';
import { copiedFolder, initialise, keptFolder, throwAwayFolder, userName, type DataFolder } from './data-folder.ts';
import { stopLeftOver } from './left-over.ts';
import { startPostmaster, type Postmaster } from './postmaster.ts';

export interface EmbeddedPostgresOptions {
  /** The folder that keeps the data over restarts; without it the data goes when the server stops. */
  readonly data?: string;
  /** Throw-away data begin as a copy of those in this folder, which was `data` of a server that has been stopped: faster than making them. */
  readonly copyOf?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Off, a crash of the machine may cost the data: for tests. */
  readonly fsync?: boolean;
  /** Settings of postgresql.conf, such as track_commit_timestamp. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface EmbeddedPostgres {
  /** With the password: not for logs. */
  readonly url: string;
  readonly port: number;
  /** The folder with the data directory in it. */
  readonly folder: string;
  /** A fast shutdown, by SIGKILL after a deadline. The data stays where it is to be kept. */
  readonly stop: () => Promise<void>;
  /** Ends postmaster and backends by SIGKILL, as a crash does. */
  readonly kill: () => Promise<void>;
  /** Again, after `kill`, on the same data and port. */
  readonly start: () => Promise<void>;
  /** Resolves when the server that runs now has ended: who did not ask for that has lost it. */
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
  if (data !== undefined) return keptFolder(data, account);
  return copyOf === undefined ? throwAwayFolder(account) : copiedFolder(keptFolder(copyOf, account), account);
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

/** A free port may be taken by another process before PostgreSQL has it: then another one is tried. */
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

/** Below those that systems give to outgoing connections (from 32768 on): one of these could take it while the server is started again. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((done, fail) => {
      server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(false) : fail(error)));
      server.listen(port, '127.0.0.1', () => done(true));
    });
    if (!isFree) continue;
    await new Promise((done) => server.close(done));
    return port;
  }
}
