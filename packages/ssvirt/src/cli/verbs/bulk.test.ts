/** Commands on several objects, as a process of its own, on a server whose answers are scripted. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, suite, test } from 'node:test';
import { throwAwayFolder } from '../../../../../test/cluster/cluster.ts';
import { findTool, notRun } from '../../../../../test/not-run.ts';
import { command } from '../../../../../test/processes/api-server.ts';

suite('a command on several VMs', () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = decodeURIComponent(request.url ?? '');
    const name = /name==(\w+)/.exec(url)?.[1] ?? /urn:vcloud:vm:(\w+)/.exec(url)?.[1] ?? '';
    const vm = { id: `urn:vcloud:vm:${name}`, name, status: 'POWERED_ON', stale: false, ipAddresses: [], disks: [] };
    const about = { vdc: { name: 'lab' }, vapp: { name }, createdAt: '2026-01-01T00:00:00Z' };
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.method === 'GET') return answer(200, { pageCount: 1, values: [{ ...vm, ...about }] });
    requests.push(`${request.method} ${name}`);
    if (name === 'busy') return answer(409, { message: 'The VM "busy" runs: delete it with force=true.' });
    return answer(202, { ...vm, ...about });
  });
  let folder: Awaited<ReturnType<typeof throwAwayFolder>>;
  before(async () => {
    folder = await throwAwayFolder('ssvirt-bulk-');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await folder.remove();
  });

  const env = (): NodeJS.ProcessEnv => ({
    ...process.env,
    XDG_CONFIG_HOME: folder.path,
    SSVIRT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SSVIRT_TOKEN: 'a-token',
  });

  async function run(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
    const child = spawn(command, args, { env: env(), stdio: ['ignore', 'pipe', 'pipe'] });
    const closed = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await closed) as [number];
    return { code, stdout, stderr };
  }

  const sent = (): readonly string[] => requests.splice(0);

  test('goes on after a refusal, names the flag that helps, and sums up', async () => {
    const { code, stderr } = await run('vm', 'delete', 'a', 'busy', 'b');
    assert.equal(code, 1, stderr);
    assert.deepEqual(sent(), ['DELETE a', 'DELETE busy', 'DELETE b']);
    assert.match(stderr, /^ssvirt: busy: The VM "busy" runs: delete it with --force\.$/m);
    assert.match(stderr, /\nssvirt: 1 of 3 failed: busy\.\n$/);
    const power = await run('vm', 'power-off', 'busy', 'b', '-o', 'name');
    assert.deepEqual([power.code, power.stdout], [1, 'b\n'], power.stderr);
    assert.deepEqual(sent(), ['POST busy', 'POST b']);
  });

  test('with one object the refusal is all', async () => {
    const { code, stderr } = await run('vm', 'delete', 'busy');
    assert.deepEqual([code, stderr], [1, 'ssvirt: The VM "busy" runs: delete it with --force.\n']);
    assert.deepEqual(sent(), ['DELETE busy']);
  });

  test('a deletion asks in a terminal, unless --yes is given', async (context) => {
    const python = findTool('python3');
    if (python === undefined) return context.skip(notRun('a question in a terminal', 'python3 is not on the PATH'));
    const question = 'Delete 2 virtual machines (a, b)?';
    const inTerminal = async (steps: readonly (readonly [string, string])[], ...args: string[]) => {
      const script = join(import.meta.dirname, '../../../../../test/cli/terminal.py');
      const child = spawn(python, [script, JSON.stringify(steps), command, ...args], {
        env: env(),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      return JSON.parse(await text(child.stdout)) as { readonly code: number; readonly shown: string };
    };
    const no = await inTerminal([[question, 'n\r']], 'vm', 'delete', 'a', 'b');
    assert.deepEqual([no.code, sent()], [1, []], no.shown);
    assert.match(no.shown, /nothing was changed/);
    assert.deepEqual([(await inTerminal([[question, '\u0004']], 'vm', 'delete', 'a', 'b')).code, sent()], [1, []]);
    assert.equal((await inTerminal([[question, 'y\r']], 'vm', 'delete', 'a', 'b')).code, 0);
    assert.deepEqual(sent(), ['DELETE a', 'DELETE b']);
    const yes = await inTerminal([], 'vm', 'delete', 'a', '--yes');
    assert.deepEqual([yes.code, sent()], [0, ['DELETE a']]);
    assert.doesNotMatch(yes.shown, /\?/);
  });
});
