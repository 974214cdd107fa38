/** One run of the server's process on a data directory. */
import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { asAccount, type Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import type { DataFolder } from './data-folder.ts';
import { EmbeddedPostgresError } from './error.ts';
import { guardName, guardScript } from './guard.ts';
import { pidIn } from './left-over.ts';
import { childrenOf, haveEnded, signalIfThere } from './processes.ts';

export interface Postmaster {
  /** A fast shutdown: sessions are ended, committed data is written. */
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Resolves when the server has ended for any reason. */
  readonly ended: Promise<void>;
}

export interface PostmasterOptions {
  readonly binaries: Binaries;
  readonly folder: DataFolder;
  readonly account: Account | undefined;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
}

/** After a crash the server replays its write-ahead log first. */
const readyMs = 120_000;
const stopMs = 20_000;
const killMs = 20_000;

export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { folder } = options;
  const child = launch(options);
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  try {
    await ready(child, folder.data);
  } catch (error) {
    await killAll(folder.data, child, ended);
    throw error;
  }
  // The server must not keep a process alive that has nothing else to do.
  release(child);
  return {
    async stop() {
      const pid = pidIn(pidFile(folder.data));
      if (pid !== undefined) signalIfThere(pid, 'SIGINT');
      child.ref();
      if (!(await settled(ended, stopMs))) await killAll(folder.data, child, ended);
    },
    kill: () => killAll(folder.data, child, ended),
    ended,
  };
}

function launch({ binaries, folder, account, port, settings }: PostmasterOptions): ChildProcess {
  const own = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    lc_messages: 'C',
    timezone: 'UTC',
  };
  const flags = Object.entries({ ...own, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = [binaries.postgres, '-D', folder.data, ...flags];
  const guard = [guardName, String(process.pid), folder.isThrowAway ? 'remove' : 'keep', folder.home];
  return spawn('/bin/sh', ['-c', guardScript, ...guard, ...server], {
    ...asAccount(account),
    cwd: folder.home,
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // A separate process group: Ctrl-C in a terminal is for us, and we then stop the server.
    detached: true,
  });
}

/** Resolves when the server accepts connections; rejects with its output when it ends or takes too long. */
async function ready(child: ChildProcess, data: string): Promise<void> {
  let said = '';
  const stderr = child.stderr!;
  const problem = (what: string): EmbeddedPostgresError =>
    new EmbeddedPostgresError(`cannot start PostgreSQL on "${data}": ${what}; it says: ${said.trim()}`);
  const timer = new AbortController();
  const late = sleep(readyMs, undefined, { signal: timer.signal }).then(() => {
    throw problem(`it was not ready in ${readyMs / 1000} s`);
  });
  const answer = new Promise<void>((done, fail) => {
    child.once('error', (cause) => fail(problem(cause.message)));
    child.once('close', () => fail(problem('it ended')));
    stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
      if (said.includes('database system is ready to accept connections')) done();
    });
  });
  try {
    await Promise.race([answer, late]);
    // The output is not needed any more, but a full pipe would block the server.
    stderr.removeAllListeners('data').resume();
  } finally {
    timer.abort();
    late.catch(() => undefined); // aborted, or already thrown
  }
}

function release(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stderr, child.stdio[3]])
    (stream as (Readable & { unref?: () => void }) | null)?.unref?.();
}

/** Backends have their own process groups, and a busy one would continue for a while. So all are killed by pid. */
async function killAll(data: string, child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.ref();
  const pid = pidIn(pidFile(data));
  // The postmaster is stopped first, so that it starts no child while its children are counted.
  const isThere = pid !== undefined && signalIfThere(pid, 'SIGSTOP');
  const pids = isThere ? [...childrenOf(pid), pid] : [];
  for (const one of pids) signalIfThere(one, 'SIGKILL');
  const areGone = (await haveEnded(pids, killMs)) && (await settled(ended, killMs));
  if (!areGone) throw new EmbeddedPostgresError(`cannot end PostgreSQL on "${data}": it still runs after SIGKILL`);
  // The pid file would remain after a crash as well; the next start detects by itself that its process is dead.
  rmSync(pidFile(data), { force: true });
}

function pidFile(data: string): string {
  return join(data, 'postmaster.pid');
}

async function settled(ended: Promise<void>, deadlineMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = sleep(deadlineMs, false, { signal: timer.signal }).catch(() => false);
  const inTime = await Promise.race([ended.then(() => true), late]);
  timer.abort();
  return inTime;
}
