/** Problems that prevent a start are reported before any process is started. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { throwAwayFolder } from '../../../../../test/cluster/cluster.ts';
import { command } from '../../../../../test/processes/api-server.ts';

test('a port that is taken is said before anything is started', async () => {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const folder = await throwAwayFolder('ssvirt-dev-');
  const { status, stderr } = spawnSync(
    command,
    ['dev', '--data', join(folder.path, 'data'), '--listen', `127.0.0.1:${port}`],
    { env: { PATH: process.env['PATH'] }, encoding: 'utf8', timeout: 60_000 },
  );
  server.close();
  await folder.remove();
  assert.equal(status, 1);
  assert.match(stderr, /dev\.listen: cannot listen on 127\.0\.0\.1:\d+: another process is using it/);
});

test('a folder with files of others is neither used nor emptied', async () => {
  const folder = await throwAwayFolder('ssvirt-dev-');
  const run = (...flags: readonly string[]): string => {
    const args = ['dev', '--data', join(folder.path), '--listen', '127.0.0.1:0', '--sandbox-listen', '127.0.0.1:0'];
    return spawnSync(command, [...args, ...flags], { encoding: 'utf8', timeout: 60_000 }).stderr;
  };
  spawnSync('touch', [join(folder.path, 'mine')]);
  assert.match(run(), /contains files that do not belong to ssvirt dev/);
  assert.match(run('--fresh'), /is not a folder of ssvirt dev, so --fresh does not empty it/);
  assert.deepEqual(readdirSync(folder.path), ['mine']);
  await folder.remove();
});
