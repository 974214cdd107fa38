/**
 * The embedded PostgreSQL as the user of this process. As root, also where PostgreSQL's account has no access, and as
 * an ordinary user.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { preparedFolder } from '../../../../../test/database/prepared.ts';
import { notRun } from '../../../../../test/not-run.ts';
import { accountMay, postgresAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { childrenOf, haveEnded, listProcesses } from './processes.ts';
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from './server.ts';

const deadline = { timeout: 60_000 };
const ownerFile = join(import.meta.dirname, '../../../../../test/database/owner.ts');
const isRoot = process.getuid?.() === 0;

function folder(t: TestContext, mode = 0o755): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'ssvirt embedded ')));
  chmodSync(made, mode);
  t.after(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function ask(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined); // the server may end while we are connected
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

interface Owner {
  readonly child: ChildProcess;
  readonly url: string;
  readonly folder: string;
}

async function startOwner(
  t: TestContext,
  options: EmbeddedPostgresOptions,
  account: { uid?: number; gid?: number } = {},
): Promise<Owner> {
  const child = spawn(process.execPath, [ownerFile, JSON.stringify(options)], {
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
    ...account,
  });
  t.after(() => child.kill('SIGKILL'));
  const [text] = (await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data'),
    once(child, 'exit').then(() => assert.fail('it ended')),
  ])) as [string];
  return { child, ...(JSON.parse(text) as Omit<Owner, 'child'>) };
}

/** Starts from a copy of prepared data, since most tests are not about initdb. */
async function quick(): Promise<EmbeddedPostgresOptions> {
  return { copyOf: await preparedFolder(), fsync: false };
}

function postmasterOf(home: string): number {
  return Number.parseInt(readFileSync(join(home, 'data/postmaster.pid'), 'utf8'), 10);
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 40_000; !isSo(); await sleep(20)) assert.ok(performance.now() < end, what);
}

test(
  'one to throw away asks for its password, listens on this machine only, and leaves nothing',
  deadline,
  async () => {
    const server = await startEmbeddedPostgres({ ...(await quick()), settings: { track_commit_timestamp: 'on' } });
    assert.deepEqual(
      await ask(
        server.url,
        `SELECT current_setting('listen_addresses'), current_setting('track_commit_timestamp'), current_setting('fsync')`,
      ),
      [['127.0.0.1', 'on', 'off']],
    );
    const { password } = new URL(server.url);
    await assert.rejects(ask(server.url.replace(password, 'wrong'), 'SELECT 1'), { code: '28P01' });
    assert.equal(statSync(server.folder).mode & 0o777, 0o700);
    const ours = listProcesses().filter((one) => one.command.includes(server.folder));
    assert.ok(ours.length >= 2, 'the server and its guard');
    assert.ok(ours.every((one) => !one.command.includes(password)));
    await server.stop();
    assert.ok(!existsSync(server.folder));
    assert.deepEqual(
      listProcesses().filter((one) => one.command.includes(server.folder)),
      [],
    );
  },
);

test('data that are kept outlive a stop and a crash, under the same password', deadline, async (t) => {
  const data = join(folder(t), 'made', 'now');
  const first = await startEmbeddedPostgres({ data });
  assert.equal(first.folder, join(data, 'postgres'));
  assert.equal(statSync(join(data, 'password')).mode & 0o777, 0o600);
  await ask(first.url, 'CREATE TABLE kept AS SELECT 1 AS value');
  await assert.rejects(startEmbeddedPostgres({ data }), /runs on it and belongs to another ssvirt/);
  await first.kill();
  await assert.rejects(ask(first.url, 'SELECT 1'));
  await first.start();
  await ask(first.url, 'INSERT INTO kept VALUES (2)');
  await first.stop();
  const second = await startEmbeddedPostgres({ data, port: first.port });
  assert.equal(second.url, first.url);
  assert.deepEqual(await ask(second.url, 'SELECT value FROM kept ORDER BY value'), [[1], [2]]);
  await second.stop();
});

test('a crash ends a backend that is at work, too', deadline, async () => {
  const server = await startEmbeddedPostgres(await quick());
  const children = childrenOf(postmasterOf(server.folder));
  const busy = assert.rejects(ask(server.url, 'SELECT pg_sleep(600)'));
  const backends = (): readonly number[] =>
    childrenOf(postmasterOf(server.folder)).filter((pid) => !children.includes(pid));
  await until('a backend is at work', () => backends().length > 0);
  const pids = [...children, ...backends()];
  await server.kill();
  assert.ok(await haveEnded(pids, 0));
  await busy;
  await server.stop();
});

test(
  'the server ends with the process that started it, even by SIGKILL, and data to throw away go',
  deadline,
  async (t) => {
    const owner = await startOwner(t, await quick());
    assert.ok(existsSync(owner.folder));
    owner.child.kill('SIGKILL');
    await until('its folder is gone', () => !existsSync(owner.folder));
    await assert.rejects(ask(owner.url, 'SELECT 1'), { code: 'ECONNREFUSED' });
  },
);

test('a server that was left behind is stopped before another starts on its data', deadline, async (t) => {
  const data = folder(t);
  const owner = await startOwner(t, { data, fsync: false });
  const [guard = 0] = childrenOf(owner.child.pid!).filter((pid) => listProcesses().some((one) => one.pid === pid));
  const postmaster = postmasterOf(owner.folder);
  const watchers = childrenOf(guard).filter((pid) => pid !== postmaster);
  for (const pid of [guard, ...watchers, owner.child.pid!]) process.kill(pid, 'SIGKILL');
  await haveEnded([guard, owner.child.pid!], 10_000);
  assert.equal((await ask(owner.url, 'SELECT 1')).length, 1);
  const next = await startEmbeddedPostgres({ data });
  assert.ok(await haveEnded([postmaster], 0));
  await next.stop();
});

test('what keeps it from starting is said', deadline, async (t) => {
  const taken = await startEmbeddedPostgres(await quick());
  t.after(() => taken.stop());
  await assert.rejects(startEmbeddedPostgres({ ...(await quick()), port: taken.port }), {
    name: 'EmbeddedPostgresError',
    message: /^cannot start PostgreSQL on ".+": it ended; it says: .*could not bind/s,
  });
  await assert.rejects(
    startEmbeddedPostgres({ ...(await quick()), settings: { no_such_setting: '1' } }),
    /unrecognized configuration parameter/,
  );
});

test('links that an install script was to make are made', (t) => {
  const fake = folder(t);
  for (const part of ['bin', 'lib', 'share']) mkdirSync(join(fake, 'native', part), { recursive: true });
  for (const name of ['initdb', 'postgres']) writeFileSync(join(fake, 'native/bin', name), '', { mode: 0o755 });
  writeFileSync(join(fake, 'package.json'), JSON.stringify({ version: '0.0.0-test' }));
  writeFileSync(join(fake, 'native/lib/libx.so.1.2'), '');
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }];
  writeFileSync(join(fake, 'native/pg-symlinks.json'), JSON.stringify(links));
  for (const path of ['native', 'native/bin', 'native/lib', 'native/share']) chmodSync(join(fake, path), 0o755);
  assert.equal(findBinaries(postgresAccount(), fake).postgres, join(fake, 'native/bin/postgres'));
  assert.equal(readlinkSync(join(fake, 'native/lib/libx.so.1')), 'libx.so.1.2');
});

const rootOnly = isRoot
  ? false
  : notRun('PostgreSQL under a folder that its account cannot reach', 'only root hands it to another user');

test(
  'as root, a folder that PostgreSQL cannot reach keeps the password and a link to the data',
  { ...deadline, skip: rootOnly },
  async (t) => {
    const data = join(folder(t, 0o700), 'data');
    const server = await startEmbeddedPostgres({ data });
    t.after(() => rmSync(server.folder, { recursive: true, force: true }));
    assert.equal(readlinkSync(join(data, 'postgres')), server.folder);
    const home = lstatSync(server.folder);
    assert.deepEqual([home.uid, home.mode & 0o777], [postgresAccount()?.uid, 0o700]);
    await ask(server.url, 'CREATE TABLE kept ()');
    await server.stop();
    const again = await startEmbeddedPostgres({ data });
    assert.deepEqual(await ask(again.url, 'SELECT FROM kept'), []);
    await again.stop();
  },
);

test(
  'as root, programs that PostgreSQL cannot reach are copied to where it can',
  { ...deadline, skip: rootOnly },
  (t) => {
    const account = postgresAccount();
    const hidden = join(folder(t, 0o700), 'package');
    symlinkSync(dirname(dirname(dirname(findBinaries(account).postgres))), hidden);
    const { postgres } = findBinaries(account, hidden);
    t.after(() => rmSync(dirname(dirname(dirname(postgres))), { recursive: true, force: true }));
    assert.ok(!postgres.startsWith(hidden));
    assert.ok(accountMay(account, '-x', postgres));
    assert.equal(statSync(postgres).uid, 0);
  },
);

const nobody = { uid: 65_534, gid: 65_534, name: 'nobody' };
const ordinary = ((): string | false => {
  const what = 'PostgreSQL started by an ordinary user beside root';
  if (!isRoot) return notRun(what, 'this is no root; the other tests have done it');
  return accountMay(nobody, '-r', ownerFile) ? false : notRun(what, 'the user nobody cannot read this folder');
})();

test('an ordinary user starts it without more', { ...deadline, skip: ordinary }, async (t) => {
  const owner = await startOwner(t, { fsync: false }, { uid: nobody.uid, gid: nobody.gid });
  assert.equal(statSync(owner.folder).uid, nobody.uid);
  owner.child.stdin?.end();
  await until('its folder is gone', () => !existsSync(owner.folder));
});
