/**
 * A PostgreSQL from Debian's packages, of the version of the installed pg_dump: an older pg_dump refuses the server
 * that comes from npm.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { asAccount, postgresAccount } from '../../packages/ssvirt/src/db/embedded/account.ts';
import { freePorts } from '../cluster/ports.ts';
import type { ProcessGroup } from '../cluster/processes.ts';
import { until } from '../runtime/until.ts';

/** The folder of the server's programs; undefined if only the client's are installed. */
export function installedServer(pgDump: string): string | undefined {
  const [, major = ''] = /(\d+)/.exec(execFileSync(pgDump, ['--version'], { encoding: 'utf8' })) ?? [];
  const folder = `/usr/lib/postgresql/${major}/bin`;
  return existsSync(join(folder, 'postgres')) ? folder : undefined;
}

/**
 * Resolves to the URL of the database `postgres`. The server stops with its process group, and its data is in `folder`,
 * which the account must be able to enter.
 */
export async function startInstalledPostgres(programs: string, folder: string, group: ProcessGroup): Promise<string> {
  const account = postgresAccount();
  const data = join(folder, 'postgres');
  mkdirSync(data, { mode: 0o700 });
  if (account !== undefined) chownSync(data, account.uid, account.gid);
  const as = asAccount(account);
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'ssvirt', '--auth=trust', '--no-sync'], {
    ...as,
    cwd: '/',
    stdio: 'ignore',
  });
  const [port = 0] = await freePorts(1);
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'].flatMap((one) => [
    '-c',
    one,
  ]);
  const server = [join(programs, 'postgres'), '-D', data, '-p', String(port), ...settings];
  // PostgreSQL does not run as root.
  const [command = '', ...args] = account === undefined ? server : ['setpriv', ...privileges(account), ...server];
  const started = group.start('postgres', command, args, as.env);
  const url = `postgres://ssvirt@127.0.0.1:${port}/postgres`;
  await until(
    'PostgreSQL answers',
    async () => {
      if (started.child.exitCode !== null) throw new Error(started.tail());
      const client = new pg.Client(url);
      client.on('error', () => undefined);
      await client.connect();
      await client.end();
      return true;
    },
    { deadlineMs: 60_000, everyMs: 100 },
  );
  return url;
}

function privileges({ uid, gid }: { readonly uid: number; readonly gid: number }): readonly string[] {
  return [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--'];
}
