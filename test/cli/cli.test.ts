/** The command line against everything that `make run` starts: what is printed where, how each command ends, what is kept and how. */
import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { createAuthority } from '../../src/tls/authority.ts';
import { Caller } from '../processes/api-server.ts';
import { until } from '../runtime/until.ts';
import { done, json, refused, startCliGround, type CliGround, type Person } from './ground.ts';

interface Named {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

const image = ['--image', 'quay.io/containerdisks/fedora:42', '--instancetype', 'u1.small'];

describe('the command line of people', () => {
  let ground: CliGround;
  let author: Person;
  let provider: Person;

  before(async () => {
    ground = await startCliGround();
    author = { home: ground.home('author') };
    provider = { home: ground.home('provider') };
    const logIn = (person: Person, login: string) =>
      ground.run(person, ['login', '--user', login, '--password-file', ground.passwordFile(login)]);
    const [ran] = await Promise.all([logIn(author, 'author@demo'), done(logIn(provider, 'administrator@System'))]);
    assert.equal(ran.code, 0, ran.stderr);
    assert.equal(ran.stdout, '', 'what is said to a person stands on stderr');
    assert.match(ran.stderr, /logged in to https:.* as author@demo/);
  });

  after(() => ground?.stop());

  test('tokens are kept where nobody else reads them, and are not taken from where somebody could', async () => {
    const folder = join(author.home, 'ssvirt');
    const file = join(folder, 'profiles.json');
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const { profiles } = JSON.parse(readFileSync(file, 'utf8')) as { profiles: { default: { token: string } } };
    const listed = await ground.run(author, ['profile', 'list', '-o', 'json']);
    assert.equal(listed.code, 0);
    assert.ok(profiles.default.token.length > 20 && !listed.stdout.includes(profiles.default.token));
    chmodSync(file, 0o644);
    await refused(ground.run(author, ['vm', 'list']), 1, /chmod 600/);
    chmodSync(file, 0o600);
  });

  test('who is not logged in, or not any more, is told how to, by an exit code of its own', async () => {
    const nobody = { home: ground.home('nobody') };
    await refused(ground.run(nobody, ['vm', 'list']), 3, /ssvirt login https:/);
    await refused(
      ground.run(nobody, ['login', '--user', 'author@demo', '--password-file', '-'], 'not-the-password\n'),
      3,
      /does not let author@demo in/,
    );
    // A session that was ended elsewhere.
    await done(
      ground.run(nobody, ['login', '--user', 'author@demo', '--password-file', ground.passwordFile('author@demo')]),
    );
    await endSession(nobody);
    await refused(ground.run(nobody, ['vm', 'list']), 3, /has ended: "ssvirt login https:.* --user author@demo"/);
  });

  test('with an API token a session that has ended is renewed, until log-out revokes it', async () => {
    const user = { home: ground.home('renewed') };
    const flags = ['--user', 'user@demo', '--password-file', ground.passwordFile('user@demo'), '--api-token'];
    await done(ground.run(user, ['login', ...flags]));
    const { token, apiToken } = profileOf(user);
    await endSession(user);
    assert.match(await done(ground.run(user, ['whoami'])), /user\s+demo\s+vApp User/);
    assert.notEqual(profileOf(user).token, token, 'the new session is kept');
    const bySecret = {
      home: ground.home('automation'),
      env: { SSVIRT_API_TOKEN: apiToken?.secret ?? '', SSVIRT_ORG: 'demo' },
    };
    assert.match(await done(ground.run(bySecret, ['whoami'])), /user\s+demo/);
    await done(ground.run(user, ['logout']));
    assert.equal(profileOf(user).token, undefined);
    const { stderr } = await ground.run(bySecret, ['whoami']);
    assert.match(stderr, /API token is not taken any more/);
    assert.ok(!stderr.includes(apiToken?.secret ?? 'none'));
  });

  async function endSession(person: Person): Promise<void> {
    const caller = new Caller(ground.url, readFileSync(ground.ca, 'utf8'));
    const headers = { authorization: `Bearer ${profileOf(person).token ?? ''}` };
    assert.equal((await caller.ask('DELETE', '/cloudapi/1.0.0/sessions/current', { headers })).status, 204);
    await caller.close();
  }

  function profileOf({ home }: Person): { token?: string; apiToken?: { secret: string } } {
    const file = readFileSync(join(home, 'ssvirt', 'profiles.json'), 'utf8');
    return (JSON.parse(file) as { profiles: { default: { token?: string } } }).profiles.default;
  }

  test('a token goes to its own server only, and a server that is away or not believed is told apart', async () => {
    const other = 'https://127.0.0.1:1';
    await refused(
      ground.run({ ...author, env: { SSVIRT_URL: other } }, ['vm', 'list']),
      3,
      /not logged in to https:\/\/127.0.0.1:1/,
    );
    await refused(
      ground.run({ ...author, env: { SSVIRT_URL: other, SSVIRT_TOKEN: 'secret-token' } }, ['vm', 'list']),
      5,
      /nobody answers at https:\/\/127.0.0.1:1/,
    );
    const ca = join(ground.folder, 'other-ca.pem');
    writeFileSync(ca, (await createAuthority('other')).certificate);
    const told = await refused(
      ground.run({ ...author, env: { SSVIRT_CA: ca } }, ['vm', 'list']),
      5,
      /not signed by the authority in/,
    );
    assert.match(told, /SSVIRT_CA=FILE/);
    await refused(
      ground.run({ ...author, env: { SSVIRT_CA: '' } }, ['login', '--user', 'a@b', '--password-file', '-'], 'x\n'),
      5,
      /signed by nobody whom this machine believes/,
    );
  });

  test('a machine is made, changed, switched and deleted, with its tasks followed on stderr', async () => {
    const made = await ground.run(author, ['vm', 'create', 'life', ...image, '--no-power-on', '--wait', '-o', 'json']);
    assert.equal(made.code, 0, made.stderr);
    const { id, name } = JSON.parse(made.stdout) as Named;
    assert.equal(name, 'life');
    assert.match(made.stderr, /Creating virtual machine life: success 100 %/);
    assert.equal((await json<Named>(ground.run(author, ['vm', 'get', id, '-o', 'json']))).id, id);
    assert.equal((parse(await done(ground.run(author, ['vm', 'get', 'LIFE', '-o', 'yaml']))) as Named).id, id);

    const on = await json<Named>(ground.run(author, ['vm', 'power-on', '--wait', 'life', '-o', 'json']));
    assert.equal(on.status, 'POWERED_ON');
    const [table, wide, names] = await Promise.all(
      ['table', 'wide', 'name'].map((format) =>
        done(ground.run(author, ['vm', 'list', '--name', 'li*', '-o', format])),
      ),
    );
    assert.match(table ?? '', /^NAME +VDC +STATUS.*\nlife +demo-vdc +POWERED_ON .*\n$/);
    assert.match(wide ?? '', new RegExp(`ID\n.*${id}\n$`));
    assert.equal(names, 'life\n');
    const disk = await json<{ disks: Named[] }>(
      ground.run(author, ['vm', 'disk', 'add', 'life', 'data', '--size', '1Gi', '--wait=2m', '-o', 'json']),
    );
    assert.deepEqual(disk.disks.map((one) => one.name).sort(), ['data', 'rootdisk']);
    await refused(ground.run(author, ['vm', 'delete', 'life']), 1, /cannot be deleted while it runs.* --force/);
    const { code, stdout, stderr } = await ground.run(author, ['vm', 'delete', 'life', '--force', '--wait']);
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.match(stderr, /life: deleted/);
    await refused(ground.run(author, ['vm', 'get', 'life']), 4, /there is no virtual machine "life"/);
    const none = await ground.run(author, ['vm', 'list', '--name', 'life']);
    assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', 'no virtual machines\n']);
    assert.equal(await done(ground.run(author, ['vm', 'list', '--name', 'life', '-o', 'json'])), '[]\n');
  });

  test('a time that is up and a task that is given up end otherwise than success', async () => {
    await done(ground.run(author, ['vm', 'create', 'stuck', ...image, '--no-power-on', '--wait']));
    const dial = (...args: string[]) =>
      done(ground.run(provider, ['sandbox', 'dial', '--kubeconfig', ground.kubeconfig, ...args]));
    await dial('--fault', 'unschedulable');
    await refused(
      ground.run(author, ['vm', 'power-on', 'stuck', '--wait=50ms']),
      7,
      /goes on: "ssvirt task wait urn:vcloud:task:/,
    );
    const [task] = await json<readonly [Named]>(ground.run(author, ['task', 'list', '--limit', '1', '-o', 'json']));
    const waiting = ground.run(author, ['task', 'wait', task.id]);
    const canceled = await json<Named>(ground.run(author, ['task', 'cancel', task.id, '-o', 'json']));
    assert.equal(canceled.status, 'canceled');
    await refused(waiting, 6, /the task was canceled/);
    await dial('--lift', 'all');
    await done(ground.run(author, ['vm', 'delete', 'stuck', '--force', '--wait']));
  });

  test('a watch shows what changes, as lines of a table and as JSON a line', async () => {
    const table = ground.start(author, ['vm', 'list', '--watch', '--name', 'watched']);
    const lines = ground.start(author, ['vm', 'list', '-w', '-o', 'json']);
    await until('the watch stands', () => table.stderr().includes('no virtual machines yet'), { deadlineMs: 60_000 });
    await done(ground.run(author, ['vm', 'create', 'watched', ...image, '--wait']));
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
    await done(ground.run(author, ['vm', 'delete', 'watched', '--force', '--wait']));
    await until(
      'both have seen it go',
      () => /watched +demo-vdc +DELETED/.test(table.stdout()) && statuses().includes('DELETED'),
      { deadlineMs: 60_000 },
    );
    table.child.kill('SIGINT');
    lines.child.kill('SIGINT');
    // The command is a shell script that becomes the process itself.
    assert.equal((await table.ended).code, 130);
    assert.equal((await lines.ended).code, 130);
    assert.equal(table.stdout().match(/^NAME/gm)?.length, 1, 'the head stands once');
  });

  test('a serial console is typed to and read through a pipe, and a viewer gets the screen at a port', async () => {
    await done(ground.run(author, ['vm', 'create', 'seen', ...image, '--wait']));
    await until(
      'it runs',
      async () => (await json<Named>(ground.run(author, ['vm', 'get', 'seen', '-o', 'json']))).status === 'POWERED_ON',
      { deadlineMs: 60_000, everyMs: 200 },
    );
    const { code, stdout, stderr } = await ground.run(author, ['vm', 'console', 'seen'], '\n');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /login:/);
    assert.match(stderr, /Ctrl-\] leaves[\s\S]*disconnected/);

    const screen = ground.start(author, ['vm', 'vnc', 'seen', '--once', '-o', 'json']);
    await until('it listens', () => screen.stdout().includes('}'), { deadlineMs: 60_000 });
    const { address, url } = JSON.parse(screen.stdout()) as { address: string; url: string };
    assert.match(url, /\/console\//);
    const viewer = connect(Number(address.split(':')[1]), '127.0.0.1');
    const [greeting] = (await once(viewer, 'data')) as [Buffer];
    assert.match(greeting.toString(), /^RFB 003/);
    viewer.destroy();
    assert.equal((await screen.ended).code, 0);
    await done(ground.run(author, ['vm', 'power-off', 'seen', '--wait']));
    await refused(ground.run(author, ['vm', 'console', 'seen']), 1, /POWERED_OFF/);
    await done(ground.run(author, ['vm', 'delete', 'seen', '--wait']));
  });

  test('the provider makes an organization with people and a data center; a name of two asks which', async () => {
    const run = (...args: string[]) => ground.run(provider, args);
    await done(run('org', 'create', 'acme', '--display-name', 'Acme Inc.'));
    await done(
      run('vdc', 'create', 'demo-vdc', '--org', 'acme', '--vcpus', '4', '--memory', '8Gi', '--vms', '3', '--wait'),
    );
    const told = await refused(run('vdc', 'get', 'demo-vdc'), 4, /is the name of several: give the URN, or say --org/);
    assert.match(told, /demo-vdc +acme +urn:vcloud:vdc:/);
    const vdc = await json<{ vmQuota: number; org: Named }>(
      run('vdc', 'get', 'demo-vdc', '--org', 'acme', '-o', 'json'),
    );
    assert.deepEqual([vdc.org.name, vdc.vmQuota], ['acme', 3]);
    const password = join(ground.folder, 'password-of-ava');
    writeFileSync(password, 'a-password-of-tests\n');
    await done(run('user', 'create', 'ava', '--org', 'acme', '--role', 'vApp Author', '--password-file', password));
    const ava = { home: ground.home('ava') };
    await done(ground.run(ava, ['login', '--user', 'ava@acme', '--password-file', password]));
    writeFileSync(`${password}-new`, 'another-password-of-tests');
    await done(
      ground.run(ava, ['user', 'passwd', '--current-password-file', password, '--password-file', `${password}-new`]),
    );
    await refused(ground.run(ava, ['login', '--user', 'ava@acme', '--password-file', password]), 3, /wrong/);
    await refused(ground.run(ava, ['org', 'create', 'other']), 1, /may not|role|access/i);
    await refused(run('user', 'create', 'uwe', '--role', 'Boss'), 4, /there are .*"vApp Author"/);
    await done(run('user', 'delete', 'ava', '--org', 'acme'));
    await done(run('vdc', 'delete', 'demo-vdc', '--org', 'acme', '--wait'));
    await done(run('org', 'delete', 'acme'));
    assert.equal(await done(run('sync-failure', 'list', '-o', 'json')), '[]\n');
  });

  test('an item of a catalog becomes a vApp; what the command line gets wrong is told before anything is asked', async () => {
    const items = await json<readonly Named[]>(ground.run(author, ['catalog', 'item', 'list', 'Images', '-o', 'json']));
    assert.deepEqual(
      items.map(({ name }) => name),
      ['cirros', 'fedora'],
    );
    await done(ground.run(author, ['vapp', 'instantiate', 'lab', '--item', 'Images/cirros', '--wait']));
    const { vms } = await json<{ vms: readonly Named[] }>(ground.run(author, ['vapp', 'get', 'lab', '-o', 'json']));
    assert.equal(vms.length, 1);
    await done(ground.run(author, ['vapp', 'delete', 'lab', '--force', '--wait']));
    for (const args of [
      ['vm'],
      ['vm', 'list', '--bogus'],
      ['vm', 'list', '-o', 'xml'],
      ['vm', 'get'],
      ['vm', 'edit', 'x', '--memory', 'lots'],
    ])
      await refused(ground.run(author, args), 2, /./);
    await refused(ground.run(author, ['vm', 'list', '--filter', 'bogus==1']), 1, /bogus/);
  });

  test('kubectl finds it as a plugin', async () => {
    const { spawnSync } = await import('node:child_process');
    const plugin = join(import.meta.dirname, '../../bin/kubectl-ssvirt');
    mkdirSync(join(ground.folder, 'bin'), { recursive: true });
    const { status, stdout } = spawnSync(plugin, ['profile', 'list', '-o', 'name'], {
      env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: author.home },
      encoding: 'utf8',
    });
    assert.deepEqual([status, stdout], [0, 'default\n']);
  });
});
