/** More of the command line against everything that `make run` starts: consoles, what the provider does, catalogs, tasks that do not end well. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { findTool, notRun } from '../not-run.ts';
import { command } from '../processes/api-server.ts';
import { until } from '../runtime/until.ts';
import { done, json, refused, type CliGround, type Person } from './ground.ts';
import { image, startPeople, type Named } from './people.ts';

describe('what else people do by the command line', () => {
  let ground: CliGround;
  let author: Person;
  let provider: Person;

  before(async () => {
    ({ ground, author, provider } = await startPeople());
  });

  after(() => ground?.stop());

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

    await inTerminal();

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

  /** A person at a terminal: every key goes to the machine, Ctrl-] leaves, and the terminal is as it was. */
  async function inTerminal(): Promise<void> {
    const python = findTool('python3');
    if (python === undefined) return void notRun('a console in a terminal', 'python3 is not on the PATH');
    const steps = [
      ['Ctrl-] leaves', '\r'],
      ['login:', '\u0003'],
      ['login:', '\u001d'],
    ];
    const args = [join(import.meta.dirname, 'terminal.py'), JSON.stringify(steps), command, 'vm', 'console', 'seen'];
    const env = { ...process.env, XDG_CONFIG_HOME: author.home, SSVIRT_URL: ground.url, SSVIRT_CA: ground.ca };
    const child = spawn(python, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const told = JSON.parse(await text(child.stdout)) as Readonly<Record<string, unknown>>;
    assert.deepEqual({ ...told, shown: '' }, { code: 0, shown: '', raw: [true, true, true], restored: true });
    assert.match(String(told['shown']), /disconnected/);
  }

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
    await done(
      ground.run(author, ['vapp', 'instantiate', 'lab', '--vdc', 'demo-vdc', '--item', 'Images/cirros', '--wait']),
    );
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
});
