/**
 * The account that PostgreSQL runs as. PostgreSQL refuses to run as root, so root uses the user `postgres` if it
 * exists, otherwise `nobody`. No user is ever created.
 */
import { spawnSync } from 'node:child_process';
import { EmbeddedPostgresError } from './error.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Undefined when PostgreSQL runs as the same user as this process. */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const uid = askId('-u', name);
    const gid = askId('-g', name);
    if (uid !== undefined && gid !== undefined && uid !== 0) return { name, uid, gid };
  }
  throw new EmbeddedPostgresError(
    'cannot start PostgreSQL as root: there is neither a user postgres nor a user nobody; start it as an ordinary user',
  );
}

/**
 * Options for spawn: the account of the child, and an environment without variables that PostgreSQL's programs would
 * obey.
 */
export function asAccount(account: Account | undefined): {
  readonly uid?: number;
  readonly gid?: number;
  readonly env: NodeJS.ProcessEnv;
} {
  const { PATH = '/usr/bin:/bin' } = process.env;
  const env = { PATH, LC_ALL: 'C', TZ: 'UTC' };
  return account === undefined ? { env } : { uid: account.uid, gid: account.gid, env };
}

/**
 * Whether a shell test (such as `-x`) is true for each path with that account's rights, which includes access to the
 * parent folders.
 */
export function accountMay(
  account: Account | undefined,
  test: '-x' | '-r' | '-w',
  ...paths: readonly string[]
): boolean {
  const script = 'for path in "$@"; do test "$0" "$path" || exit 1; done';
  const { status } = spawnSync('/bin/sh', ['-c', script, test, ...paths], {
    ...asAccount(account),
    cwd: '/',
    stdio: 'ignore',
    timeout: 10_000,
  });
  return status === 0;
}

function askId(flag: '-u' | '-g', name: string): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8', timeout: 10_000 });
  const id = Number(stdout);
  return status === 0 && Number.isSafeInteger(id) ? id : undefined;
}
