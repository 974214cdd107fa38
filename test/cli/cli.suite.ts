/** The command line against everything that `make run` starts: its output, exit codes and stored tokens. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { createAuthority } from '../../packages/base/src/tls/authority.ts';
import { Caller } from '../processes/api-server.ts';
import { until } from '../runtime/until.ts';
import { done, json, refused, type CliHarness, type Person } from './harness.ts';
import { image, startPeople, type Named } from './people.ts';

describe('the command line of people', () => {
  let harness: CliHarness;
  let author: Person;

  before(async () => {
    ({ harness, author } = await startPeople());
  });

  after(() => harness?.stop());

  test('tokens are stored where only the user can read them, and refused from a file that others can read', async () => {
    const folder = join(author.home, 'ssvirt');
    const file = join(folder, 'profiles.json');
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { profiles } = JSON.parse(readFileSync(file, 'utf8')) as { profiles: { default: { token: string } } };
    const listed = await harness.run(author, ['profile', 'list', '-o', 'json']);
    assert.equal(listed.code, 0);
    assert.ok(profiles.default.token.length > 20 && !listed.stdout.includes(profiles.default.token));
    chmodSync(file, 0o644);
    await refused(harness.run(author, ['vm', 'list']), 1, /chmod 600/);
    chmodSync(file, 0o600);
  });

  test('without a session, or with an ended one, a command explains how to log in and has its own exit code', async () => {
    const nobody = { home: harness.home('nobody') };
    await refused(harness.run(nobody, ['vm', 'list']), 3, /ssvirt login https:/);
    await refused(
      harness.run(nobody, ['login', '--user', 'author@demo', '--password-file', '-'], 'not-the-password\n'),
      3,
      /log-in of author@demo at .* failed/,
    );
    // A session that was ended by another client.
    await done(
      harness.run(nobody, ['login', '--user', 'author@demo', '--password-file', harness.passwordFile('author@demo')]),
    );
    await endSession(nobody);
    await refused(harness.run(nobody, ['vm', 'list']), 3, /has ended: "ssvirt login https:.* --user author@demo"/);
  });

  test('with an API token a session that has ended is renewed, until log-out revokes it', async () => {
    const user = { home: harness.home('renewed') };
    const flags = ['--user', 'user@demo', '--password-file', harness.passwordFile('user@demo'), '--api-token'];
    await done(harness.run(user, ['login', ...flags]));
    const { token, apiToken } = profileOf(user);
    await endSession(user);
    assert.match(await done(harness.run(user, ['whoami'])), /user\s+demo\s+vApp User/);
    assert.notEqual(profileOf(user).token, token, 'the new session is kept');
    const bySecret = {
      home: harness.home('automation'),
      env: { SSVIRT_API_TOKEN: apiToken?.secret ?? '', SSVIRT_ORG: 'demo' },
    };
    assert.match(await done(harness.run(bySecret, ['whoami'])), /user\s+demo/);
    await done(harness.run(user, ['logout']));
    assert.equal(profileOf(user).token, undefined);
    const { stderr } = await harness.run(bySecret, ['whoami']);
    assert.match(stderr, /API token was rejected/);
    assert.ok(!stderr.includes(apiToken?.secret ?? 'none'));
  });

  async function endSession(person: Person): Promise<void> {
    const caller = new Caller(harness.url, readFileSync(harness.ca, 'utf8'));
    const headers = { authorization: `Bearer ${profileOf(person).token ?? ''}` };
    assert.equal((await caller.ask('DELETE', '/cloudapi/1.0.0/sessions/current', { headers })).status, 204);
    await caller.close();
  }

  function profileOf({ home }: Person): { token?: string; apiToken?: { secret: string } } {
    const file = readFileSync(join(home, 'ssvirt', 'profiles.json'), 'utf8');
    return (JSON.parse(file) as { profiles: { default: { token?: string } } }).profiles.default;
  }

  test('a token goes only to its own server, and unreachable and untrusted servers get different errors', async () => {
    const other = 'https://127.0.0.1:1';
    await refused(
      harness.run({ ...author, env: { SSVIRT_URL: other } }, ['vm', 'list']),
      3,
      /not logged in to https:\/\/127.0.0.1:1/,
    );
    await refused(
      harness.run({ ...author, env: { SSVIRT_URL: other, SSVIRT_TOKEN: 'secret-token' } }, ['vm', 'list']),
      5,
      /connection refused by https:\/\/127.0.0.1:1/,
    );
    const ca = join(harness.folder, 'other-ca.pem');
    writeFileSync(ca, (await createAuthority('other')).certificate);
    const told = await refused(
      harness.run({ ...author, env: { SSVIRT_CA: ca } }, ['vm', 'list']),
      5,
      /not signed by the authority in/,
    );
    assert.match(told, /SSVIRT_CA=FILE/);
    await refused(
      harness.run({ ...author, env: { SSVIRT_CA: '' } }, ['login', '--user', 'a@b', '--password-file', '-'], 'x\n'),
      5,
      /not signed by a trusted authority/,
    );
  });

  test('a machine is made, changed, switched and deleted, with its tasks followed on stderr', async () => {
    const made = await harness.run(author, ['vm', 'create', 'life', ...image, '--no-power-on', '--wait', '-o', 'json']);
    assert.equal(made.code, 0, made.stderr);
    const { id, name } = JSON.parse(made.stdout) as Named;
    assert.equal(name, 'life');
    assert.match(made.stderr, /Creating virtual machine life: success 100 %/);
    assert.equal((await json<Named>(harness.run(author, ['vm', 'get', id, '-o', 'json']))).id, id);
    assert.equal((parse(await done(harness.run(author, ['vm', 'get', 'LIFE', '-o', 'yaml']))) as Named).id, id);

    const on = await json<Named>(harness.run(author, ['vm', 'power-on', '--wait', 'life', '-o', 'json']));
    assert.equal(on.status, 'POWERED_ON');
    const [table, wide, names] = await Promise.all(
      ['table', 'wide', 'name'].map((format) =>
        done(harness.run(author, ['vm', 'list', '--name', 'li*', '-o', format])),
      ),
    );
    assert.match(table ?? '', /^NAME +VDC +STATUS.*\nlife +demo-vdc +POWERED_ON .*\n$/);
    assert.match(wide ?? '', new RegExp(`ID\n.*${id}\n$`));
    assert.equal(names, 'life\n');
    const owned = ['vm', 'list', '--name', 'life', '--owner', 'auth*', '--sort', '-createdAt', '-o', 'name'];
    assert.equal(await done(harness.run(author, owned)), 'life\n');
    assert.equal(
      await done(harness.run(author, [...owned, '--cpus', '999', '--memory', '4Gi', '--guest-os', 'x*'])),
      '',
    );
    await refused(
      harness.run(author, ['vm', 'list', '--address', '10.0']),
      1,
      /ipAddresses: "10\.0" is not an IP address/,
    );
    const disk = await json<{ disks: Named[] }>(
      harness.run(author, ['vm', 'disk', 'add', 'life', 'data', '--size', '1Gi', '--wait=2m', '-o', 'json']),
    );
    assert.deepEqual(disk.disks.map((one) => one.name).sort(), ['data', 'rootdisk']);
    await refused(harness.run(author, ['vm', 'delete', 'life']), 1, /cannot be deleted while it runs.* --force/);
    const { code, stdout, stderr } = await harness.run(author, ['vm', 'delete', 'life', '--force', '--wait']);
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.match(stderr, /life: deleted/);
    await refused(harness.run(author, ['vm', 'get', 'life']), 4, /there is no virtual machine "life"/);
    const none = await harness.run(author, ['vm', 'list', '--name', 'life']);
    assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', 'no virtual machines\n']);
    assert.equal(await done(harness.run(author, ['vm', 'list', '--name', 'life', '-o', 'json'])), '[]\n');
  });

  test('the wait for a creation ends when the machine runs, and each state can be waited for', async () => {
    const made = await harness.run(author, ['vm', 'create', 'awaited', ...image, '--wait', '-o', 'json']);
    assert.deepEqual([made.code, (JSON.parse(made.stdout) as Named).status], [0, 'POWERED_ON'], made.stderr);
    const said = made.stderr.trim().split('\n');
    assert.equal(said.at(-1), 'awaited: POWERED_ON');
    assert.deepEqual(said, [...new Set(said)]);
    await refused(harness.run(author, ['vm', 'wait', 'awaited', '--for', 'off', '--timeout', '50ms']), 7, /is not off/);
    const off = harness.run(author, ['vm', 'wait', 'awaited', '--for', 'off', '-o', 'json']);
    await done(harness.run(author, ['vm', 'power-off', 'awaited']));
    assert.equal((await json<Named>(off)).status, 'POWERED_OFF');
    await refused(harness.run(author, ['vm', 'wait', 'awaited', '--for', 'ready']), 2, /running, off, deleted/);
    const gone = harness.run(author, ['vm', 'wait', 'awaited', '--for', 'deleted']);
    await done(harness.run(author, ['vm', 'delete', 'awaited']));
    assert.deepEqual([(await gone).code, (await gone).stdout], [0, '']);
  });

  test('a watch shows what changes, as lines of a table and as JSON a line', async () => {
    const table = harness.start(author, ['vm', 'list', '--watch', '--name', 'watched']);
    const lines = harness.start(author, ['vm', 'list', '-w', '-o', 'json']);
    await until('the watch has started', () => table.stderr().includes('no virtual machines yet'), {
      deadlineMs: 60_000,
    });
    await done(harness.run(author, ['vm', 'create', 'watched', ...image, '--wait']));
    const statuses = (): readonly string[] =>
      lines
        .stdout()
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Named)
        .filter(({ name }) => name === 'watched')
        .map(({ status }) => status);
    await until(
      'both have seen it run',
      () => /watched +demo-vdc +POWERED_ON/.test(table.stdout()) && statuses().includes('POWERED_ON'),
      { deadlineMs: 60_000 },
    );
    await done(harness.run(author, ['vm', 'delete', 'watched', '--force', '--wait']));
    await until(
      'both have seen it go',
      () => /watched +demo-vdc +DELETED/.test(table.stdout()) && statuses().includes('DELETED'),
      { deadlineMs: 60_000 },
    );
    table.child.kill('SIGINT');
    lines.child.kill('SIGINT');
    // The command is a shell script that execs the process.
    assert.equal((await table.ended).code, 130);
    assert.equal((await lines.ended).code, 130);
    assert.equal(table.stdout().match(/^NAME/gm)?.length, 1, 'the header appears once');
  });

  test('kubectl finds it as a plugin', async () => {
    const plugin = join(import.meta.dirname, '../../bin/kubectl-ssvirt');
    const { status, stdout } = spawnSync(plugin, ['profile', 'list', '-o', 'name'], {
      env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: author.home },
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout], [0, 'default\n']);
  });
});
