/**
 * More of the command line against everything that `make run` starts: consoles, the provider's commands, catalogs,
 * tasks that end badly.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { findTool, notRun } from '../not-run.ts';
import { command } from '../processes/api-server.ts';
import { until } from '../runtime/until.ts';
import { done, json, refused, type CliHarness, type Person } from './harness.ts';
import { image, startPeople, type Named } from './people.ts';

describe('more of the command line', () => {
  let harness: CliHarness;
  let author: Person;
  let provider: Person;

  before(async () => {
    ({ harness, author, provider } = await startPeople());
  });

  after(() => harness?.stop());

  test('a timeout and an aborted task have other exit codes than success', async () => {
    await done(harness.run(author, ['vm', 'create', 'stuck', ...image, '--no-power-on', '--wait']));
    const dial = (...args: string[]) =>
      done(harness.run(provider, ['sandbox', 'dial', '--kubeconfig', harness.kubeconfig, ...args]));
    await dial('--fault', 'unschedulable');
    await refused(
      harness.run(author, ['vm', 'power-on', 'stuck', '--wait=50ms']),
      7,
      /continues: "ssvirt task wait urn:vcloud:task:/,
    );
    const [task] = await json<readonly [Named]>(harness.run(author, ['task', 'list', '--limit', '1', '-o', 'json']));
    const waiting = harness.run(author, ['task', 'wait', task.id]);
    const canceled = await json<Named>(harness.run(author, ['task', 'cancel', task.id, '-o', 'json']));
    assert.equal(canceled.status, 'canceled');
    await refused(waiting, 6, /the task was canceled/);
    await dial('--lift', 'all');
    await done(harness.run(author, ['vm', 'delete', 'stuck', '--force', '--wait']));
  });

  test('a serial console is typed to and read through a pipe, and a viewer gets the screen at a port', async () => {
    await done(harness.run(author, ['vm', 'create', 'seen', ...image, '--wait']));
    const { code, stdout, stderr } = await harness.run(author, ['vm', 'console', 'seen'], '\n');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /login:/);
    assert.match(stderr, /Ctrl-\] leaves[\s\S]*disconnected/);

    await inTerminal();

    const screen = harness.start(author, ['vm', 'vnc', 'seen', '--once', '-o', 'json']);
    await until('it listens', () => screen.stdout().includes('}'), { deadlineMs: 60_000 });
    const { address, url } = JSON.parse(screen.stdout()) as { address: string; url: string };
    assert.match(url, /\/console\//);
    const viewer = connect(Number(address.split(':')[1]), '127.0.0.1');
    const [greeting] = (await once(viewer, 'data')) as [Buffer];
    assert.match(greeting.toString(), /^RFB 003/);
    viewer.destroy();
    assert.equal((await screen.ended).code, 0);
    await done(harness.run(author, ['vm', 'power-off', 'seen', '--wait']));
    await refused(harness.run(author, ['vm', 'console', 'seen']), 1, /POWERED_OFF/);
    await done(harness.run(author, ['vm', 'delete', 'seen', '--wait']));
  });

  test('bash, zsh and fish complete the names of machines, at a terminal', async (context) => {
    const python = findTool('python3');
    if (python === undefined) return context.skip(notRun('completion at a terminal', 'python3 is not on the PATH'));
    for (const name of ['harbour', 'hazel'])
      await done(harness.run(author, ['vm', 'create', name, ...image, '--no-power-on', '--wait']));
    for (const shell of ['bash', 'zsh', 'fish'] as const) {
      const path = findTool(shell);
      if (path === undefined) notRun(`completion of ${shell} at a terminal`, `${shell} is not on the PATH`);
      else await completes(python, shell, path);
    }
    await done(harness.run(author, ['vm', 'delete', 'harbour', 'hazel', '--wait']));
  });

  /** Loads what the page for tenants says, types the first letters of a name and a tab, and sees the rest of it. */
  async function completes(python: string, shell: 'bash' | 'zsh' | 'fish', path: string): Promise<void> {
    const file = join(author.home, `completion-${shell}`);
    writeFileSync(file, await done(harness.run(author, ['completion', shell])));
    const load = shell === 'zsh' ? `autoload -U compinit; compinit -u -D; source ${file}` : `source ${file}`;
    const steps = [
      ['', `${load}; echo loa""ded\r`],
      ['loaded', 'echo; ssvirt vm get haz\t'],
      ['hazel', '\u0015exit\r'],
    ];
    const start = { bash: ['--norc', '--noprofile', '-i'], zsh: ['-f', '-i'], fish: ['--no-config', '-i'] }[shell];
    const args = [join(import.meta.dirname, 'terminal.py'), JSON.stringify(steps), path, ...start];
    const env = {
      ...process.env,
      PATH: `${dirname(command)}${delimiter}${process.env['PATH']}`,
      HOME: author.home,
      XDG_CONFIG_HOME: author.home,
      SSVIRT_URL: harness.url,
      SSVIRT_CA: harness.ca,
      TERM: 'dumb',
    };
    const child = spawn(python, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [told, problem] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.match(told, /hazel/, `${shell}: ${problem}`);
  }

  /** A user at a terminal: every key goes to the VM, Ctrl-] leaves, and the terminal is as it was before. */
  async function inTerminal(): Promise<void> {
    const python = findTool('python3');
    if (python === undefined) return void notRun('a console in a terminal', 'python3 is not on the PATH');
    const steps = [
      ['Ctrl-] leaves', '\r'],
      ['login:', '\u0003'],
      ['login:', '\u001d'],
    ];
    const args = [join(import.meta.dirname, 'terminal.py'), JSON.stringify(steps), command, 'vm', 'console', 'seen'];
    const env = { ...process.env, XDG_CONFIG_HOME: author.home, SSVIRT_URL: harness.url, SSVIRT_CA: harness.ca };
    const child = spawn(python, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const told = JSON.parse(await text(child.stdout)) as Readonly<Record<string, unknown>>;
    assert.deepEqual({ ...told, shown: '' }, { code: 0, shown: '', raw: [true, true, true], restored: true });
    assert.match(String(told['shown']), /disconnected/);
  }

  test('the provider makes an organization with people and a data center; a name of two asks which', async () => {
    const run = (...args: string[]) => harness.run(provider, args);
    await done(run('org', 'create', 'acme', '--display-name', 'Acme Inc.'));
    await done(
      run('vdc', 'create', 'demo-vdc', '--org', 'acme', '--vcpus', '4', '--memory', '8Gi', '--vms', '3', '--wait'),
    );
    const told = await refused(
      run('vdc', 'get', 'demo-vdc'),
      4,
      /several objects have the name .*: give the URN, or --org/,
    );
    assert.match(told, /demo-vdc +acme +urn:vcloud:vdc:/);
    const vdc = await json<{ vmQuota: number; org: Named }>(
      run('vdc', 'get', 'demo-vdc', '--org', 'acme', '-o', 'json'),
    );
    assert.deepEqual([vdc.org.name, vdc.vmQuota], ['acme', 3]);
    assert.match(await done(run('vdc', 'get', 'demo-vdc', '--org', 'acme', '-o', 'wide')), /CLUSTER[\s\S]* local /);
    const password = join(harness.folder, 'password-of-ava');
    writeFileSync(password, 'a-password-of-tests\n');
    await done(run('user', 'create', 'ava', '--org', 'acme', '--role', 'vApp Author', '--password-file', password));
    const ava = { home: harness.home('ava') };
    await done(harness.run(ava, ['login', '--user', 'ava@acme', '--password-file', password]));
    writeFileSync(`${password}-new`, 'another-password-of-tests');
    const files = ['--current-password-file', password, '--password-file', `${password}-new`];
    await done(harness.run(ava, ['user', 'passwd', ...files, '--keep-api-tokens']));
    await refused(harness.run(ava, ['login', '--user', 'ava@acme', '--password-file', password]), 3, /wrong/);
    await refused(harness.run(ava, ['org', 'create', 'other']), 1, /may not|role|access/i);
    await refused(run('user', 'create', 'uwe', '--role', 'Boss'), 4, /the roles are .*"vApp Author"/);
    await done(run('user', 'delete', 'ava', '--org', 'acme'));
    await done(run('vdc', 'delete', 'demo-vdc', '--org', 'acme', '--wait'));
    await done(run('org', 'delete', 'acme'));
    assert.equal(await done(run('sync-failure', 'list', '-o', 'json')), '[]\n');
    assert.match(await done(run('cluster', 'list')), /^NAME +AVAILABLE +STATE +VDCS +KUBERNETES .*\n\S+ +yes +synced /);
    const [name = ''] = (await done(run('cluster', 'list', '-o', 'name'))).split('\n');
    const page = await done(run('cluster', 'get', name));
    assert.match(page, new RegExp(`^Cluster ${name}\\n {2}state +synced\\n {2}API server +reaches it\\n`));
    assert.match(page, /^Details, read .* ago\n {2}Kubernetes +v1\./m);
    await refused(run('cluster', 'get', 'unknown'), 4, /there is no cluster "unknown", or you may not see it/);
  });

  test('a machine is suspended, resumed, started again and shut down, and a disk comes and goes while it runs', async () => {
    const made = await json<Named>(harness.run(author, ['vm', 'create', 'busy', ...image, '--wait', '-o', 'json']));
    assert.equal(made.status, 'POWERED_ON');
    const reaches = (status: string): Promise<void> =>
      until(
        `it is ${status}`,
        async () => {
          const found = await json<Named>(harness.run(author, ['vm', 'get', 'busy', '-o', 'json']));
          if (found.status === status) return true;
          throw new Error(found.status);
        },
        { deadlineMs: 60_000, everyMs: 200 },
      );
    await reaches('POWERED_ON');
    for (const [verb, status] of [
      ['suspend', 'SUSPENDED'],
      ['resume', 'POWERED_ON'],
      ['reset', 'POWERED_ON'],
      ['reboot', 'POWERED_ON'],
    ] as const) {
      await done(harness.run(author, ['vm', verb, 'busy', '--wait']));
      await reaches(status);
    }
    const disks = async (): Promise<readonly string[]> =>
      (await json<readonly Named[]>(harness.run(author, ['vm', 'disk', 'list', 'busy', '-o', 'json']))).map(
        ({ name }) => name,
      );
    const before = await disks();
    await done(harness.run(author, ['vm', 'disk', 'add', 'busy', 'data', '--size', '1Gi', '--wait']));
    assert.deepEqual(await disks(), [...before, 'data']);
    await done(harness.run(author, ['vm', 'disk', 'remove', 'busy', 'data', '--wait']));
    assert.deepEqual(await disks(), before);
    await refused(harness.run(author, ['vm', 'disk', 'remove', 'busy', 'none']), 1, /has no disk "none"; it has: /);
    await done(harness.run(author, ['vm', 'shutdown', 'busy', '--wait']));
    await reaches('POWERED_OFF');
    await refused(harness.run(author, ['vm', 'suspend', 'busy']), 1, /it is powered off: power it on first/);
    await done(harness.run(author, ['vm', 'delete', 'busy', '--wait']));
  });

  test('a catalog is made, filled, renamed, emptied and deleted', async () => {
    const run = (...args: string[]) => harness.run(provider, ['catalog', ...args, '--org', 'demo']);
    await done(run('create', 'Workshop', '--no-templates', '--description', 'for the course'));
    const definition = join(harness.folder, 'item.yaml');
    writeFileSync(definition, 'image: quay.io/containerdisks/fedora:42\ncpus: 1\nmemoryMb: 512\n');
    await done(run('item', 'create', 'Workshop', 'bench', '-f', definition));
    await done(run('edit', 'Workshop', '--name', 'Course'));
    const names = async (...args: string[]): Promise<readonly string[]> =>
      (await json<readonly Named[]>(run(...args, '-o', 'json'))).map(({ name }) => name);
    assert.deepEqual(await names('item', 'list', 'Course'), ['bench']);
    await done(run('item', 'edit', 'Course/bench', '--name', 'desk', '--description', 'a table'));
    assert.match(await done(run('item', 'get', 'desk')), /Catalog item Course\/desk\n[\s\S]*description +a table\n/);
    await done(run('item', 'edit', 'Course', 'desk', '--name', 'bench'));
    await refused(run('get', 'Workshop'), 4, /Workshop/);
    await refused(run('delete', 'Course'), 1, /item/);
    await done(run('item', 'delete', 'Course', 'bench'));
    writeFileSync(
      definition,
      'image: quay.io/containerdisks/fedora:42\ncpus: 1\nmemoryMb: 512\nparameters:\n- name: PASSWORD\n  generatedFrom: "[a-z0-9]{20}"\n',
    );
    await done(run('item', 'create', 'Course', 'secretive', '-f', definition));
    const instantiate = (name: string, ...args: string[]) =>
      harness.run(author, ['vapp', 'instantiate', name, '--vdc', 'demo-vdc', '--item', 'Course/secretive', ...args]);
    type Made = { readonly generatedParameters?: { readonly PASSWORD?: string } };
    const made = await json<Made>(instantiate('secret-json', '--wait', '-o', 'json'));
    assert.match(made.generatedParameters?.PASSWORD ?? '', /^[a-z0-9]{20}$/);
    const { code, stdout, stderr } = await instantiate('secret-table', '--wait');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Generated parameters \(not shown again\):\n {2}PASSWORD=[a-z0-9]{20}\n/);
    assert.doesNotMatch(stdout, /PASSWORD/);
    const read = await done(harness.run(author, ['vapp', 'get', 'secret-json', '-o', 'json']));
    assert.doesNotMatch(read, /generatedParameters/);
    for (const name of ['secret-json', 'secret-table'])
      await done(harness.run(author, ['vapp', 'delete', name, '--force', '--wait']));
    await done(run('item', 'delete', 'Course', 'secretive'));
    await done(run('delete', 'Course'));
    assert.ok(!(await names('list')).includes('Course'));
  });

  test('an API token out of a file logs in, and one that is none is refused without being shown', async () => {
    const maker = { home: harness.home('maker') };
    const login = ['login', '--user', 'user@demo'];
    await done(harness.run(maker, [...login, '--password-file', harness.passwordFile('user@demo'), '--api-token']));
    const kept = readFileSync(join(maker.home, 'ssvirt', 'profiles.json'), 'utf8');
    const { profiles } = JSON.parse(kept) as { profiles: { default: { apiToken: { secret: string } } } };
    const file = join(harness.folder, 'token');
    writeFileSync(file, `${profiles.default.apiToken.secret}\n`, { mode: 0o600 });
    const machine = { home: harness.home('by-token') };
    await done(harness.run(machine, [...login, '--api-token-file', file]));
    assert.match(await done(harness.run(machine, ['whoami'])), /user\s+demo/);
    const bad = 'not-a-token-of-anybody';
    const told = await refused(harness.run(machine, [...login, '--api-token-file', '-'], bad), 3, /token/i);
    assert.ok(!told.includes(bad));
    await done(harness.run(maker, ['logout']));
  });

  test('API tokens are created, listed and revoked, roles are listed, and the audit trail tells of it', async () => {
    const owner = { home: harness.home('owner') };
    const file = harness.passwordFile('administrator@System');
    await done(harness.run(owner, ['login', '--user', 'administrator@System', '--password-file', file]));
    const run = (...args: string[]) => harness.run(owner, args);
    const secret = await done(run('token', 'create', 'ci', '--expires-in', '24h'));
    const program = { home: harness.home('program'), env: { SSVIRT_API_TOKEN: secret.trim(), SSVIRT_ORG: 'System' } };
    assert.match(await done(harness.run(program, ['whoami'])), /administrator\s+System/);
    const listed = await json<readonly Named[]>(run('token', 'list', '--name', 'ci', '-o', 'json'));
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['ci'],
    );
    assert.ok(!JSON.stringify(listed).includes(secret.trim()));
    await done(run('token', 'revoke', 'ci'));
    await refused(harness.run(program, ['whoami']), 3, /API token was rejected/);
    const roles = await json<readonly Named[]>(run('role', 'list', '-o', 'json'));
    assert.ok(roles.some(({ name }) => name === 'vApp Author'));
    const events = await json<readonly { readonly id: string; readonly action: string }[]>(
      run('audit', 'list', '--filter', 'entity.name==ci', '-o', 'json'),
    );
    assert.ok(events.length > 0);
    assert.match(await done(run('audit', 'get', events[0]?.id ?? '')), /^TIME +ACTION +OUTCOME/);
  });

  test('an item of a catalog becomes a vApp; mistakes in the command line are reported before any request', async () => {
    const items = await json<readonly Named[]>(
      harness.run(author, ['catalog', 'item', 'list', 'Images', '-o', 'json']),
    );
    assert.deepEqual(
      items.map(({ name }) => name),
      ['cirros', 'fedora'],
    );
    await done(
      harness.run(author, ['vapp', 'instantiate', 'lab', '--vdc', 'demo-vdc', '--item', 'Images/cirros', '--wait']),
    );
    const { vms } = await json<{ vms: readonly Named[] }>(harness.run(author, ['vapp', 'get', 'lab', '-o', 'json']));
    assert.equal(vms.length, 1);
    await done(harness.run(author, ['vapp', 'delete', 'lab', '--force', '--wait']));
    for (const args of [
      ['vm'],
      ['vm', 'list', '--bogus'],
      ['vm', 'list', '-o', 'xml'],
      ['vm', 'get'],
      ['vm', 'edit', 'x', '--memory', 'lots'],
    ])
      await refused(harness.run(author, args), 2, /./);
    await refused(harness.run(author, ['vm', 'list', '--filter', 'bogus==1']), 1, /bogus/);
    await refused(
      harness.run(author, ['vm', 'create', 'tiny', ...image.slice(0, 4), '--cpus', '1', '--memory', '4']),
      1,
      /^ssvirt: --memory is 4 MB; the minimum is 64 MB\.$/m,
    );
  });
});
