/** `ssvirt database` as a user runs it. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { startTestDatabase } from '../../../../../test/database/harness.ts';
import { migrations } from '../../db/migrations/index.ts';

const launcher = resolve(import.meta.dirname, '../../../../../bin/ssvirt');
const folder = mkdtempSync(join(tmpdir(), 'ssvirt database '));
// PostgreSQL may run as another user and must keep its data here.
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));
const limit = 60_000;
const last = Object.keys(migrations).at(-1) ?? '';

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function ssvirt(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const child = spawn(launcher, ['database', ...args], {
    cwd: folder,
    timeout: limit,
    env: { ...process.env, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

test(
  'serve says how to use it, keeps the password in a file of its own, and ends at a signal',
  { timeout: limit },
  async () => {
    const child = spawn(launcher, ['database', 'serve', '--data', 'data', '--listen', '127.0.0.1:0'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    for await (const text of child.stdout.setEncoding('utf8')) {
      said += String(text);
      if (said.includes('Ctrl-C')) break;
    }
    const file = join(folder, 'data/url');
    assert.ok(said.includes(`export SSVIRT_DATABASE_URL="$(cat '${file}')"\n`), said);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const url = readFileSync(file, 'utf8').trim();
    assert.ok(!said.includes(new URL(url).password), said);
    const { code, stdout } = await ssvirt(['migrate'], { SSVIRT_DATABASE_URL: url });
    assert.deepEqual([code, stdout.includes(`is up to date: it is at ${last}\n`)], [0, true], stdout);
    child.kill('SIGINT');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  },
);

test(
  'serve ends with a sentence when PostgreSQL is killed, so that it is started again',
  { timeout: limit },
  async () => {
    const child = spawn(launcher, ['database', 'serve', '--data', 'killed', '--listen', '127.0.0.1:0'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
    for await (const text of child.stdout.setEncoding('utf8')) if (String(text).includes('Ctrl-C')) break;
    const pid = Number.parseInt(readFileSync(join(folder, 'killed/postgres/data/postmaster.pid'), 'utf8'), 10);
    process.kill(pid, 'SIGKILL');
    assert.deepEqual(await once(child, 'close'), [1, null]);
    assert.match(
      complaint,
      /^ssvirt: PostgreSQL has ended by itself, or was killed: start it again, the data are kept/,
    );
  },
);

test('a cluster that is another one now is accepted by its uid', { timeout: limit }, async (t) => {
  const { url, database, stop } = await startTestDatabase();
  t.after(stop);
  const uid = '0e5f4c0a-7a55-4d5e-9d0c-1df9ce8b3c11';
  const bare = url.replace(`:${new URL(url).password}@`, '@');
  writeFileSync(join(folder, 'password'), `${new URL(url).password}\n`, { mode: 0o600 });
  await database.pool.query(`INSERT INTO clusters (name, identity, state, epoch) VALUES ('west', 'old', 'frozen', 1)`);
  const accept = (...args: readonly string[]): Promise<Outcome> =>
    ssvirt(['accept-cluster', ...args, '--database-url', bare, '--database-password-file', 'password']);
  const [good, unknown, bad] = await Promise.all([accept('west', uid), accept('east', uid), accept('west', 'new')]);
  assert.match(good.stdout, new RegExp(`^cluster "west" may be ${uid} from now on \\(it was old\\)`));
  const { rows } = await database.pool.query('SELECT identity, accepted_identity FROM clusters');
  assert.deepEqual(rows, [{ identity: 'old', accepted_identity: uid }]);
  assert.match(
    unknown.stderr,
    /^ssvirt: cannot accept the cluster "east": there is none of that name; there are west\n/,
  );
  assert.match(
    bad.stderr,
    /^ssvirt: cannot accept the cluster "west": "new" is not a uid; ask the cluster: kubectl get /,
  );
  assert.deepEqual([good.code, unknown.code, bad.code], [0, 1, 1]);
});

test('what is wrong is said in a sentence, without a password', { timeout: limit }, async () => {
  const cases: readonly (readonly [args: readonly string[], says: RegExp])[] = [
    [['migrate'], /database\.url is not set: set it in the config file, in SSVIRT_DATABASE_URL or by --database-url/],
    [
      ['migrate', '--database-url', 'me:hunter2@db'],
      /--database-url: database\.url: is not a PostgreSQL URL: write postgres:/,
    ],
    [
      ['migrate', '--database-url', 'postgres://me:hunter2@127.0.0.1:1/x'],
      /^ssvirt: cannot use the database postgres:\/\/me@127\.0\.0\.1:1\/x: no server listens there: /,
    ],
    [
      ['migrate', '--database-url', 'postgres://me:hunter2@db.example.org/x'],
      /--database-url: database\.url: is visible to every user of this machine in the process list: write it to the config file, or set SSVIRT_DATABASE_URL/,
    ],
    [
      ['serve', '--data', 'x', '--listen', '0.0.0.0:1'],
      /--listen: "0\.0\.0\.0:1" is not an address of this machine alone/,
    ],
  ];
  const outcomes = await Promise.all(cases.map(([args]) => ssvirt(args)));
  for (const [i, { code, stdout, stderr }] of outcomes.entries()) {
    assert.match(stderr, cases[i]![1]);
    assert.doesNotMatch(stderr, /hunter2|^ +at /m);
    assert.deepEqual([code, stdout], [1, '']);
  }
});
