/** `ssvirt sandbox` as people start it. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const launcher = resolve(import.meta.dirname, '../../../../bin/ssvirt');
const folder = mkdtempSync(join(tmpdir(), 'ssvirt sandbox '));
after(() => rmSync(folder, { recursive: true }));
const limit = 180_000;

test('it says where the kubeconfig is when that is written, and ends at a signal', async () => {
  const child = spawn(launcher, ['sandbox', '--listen', '127.0.0.1:0', '--clusters', '2'], {
    cwd: folder,
    timeout: limit,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const file = join(folder, 'sandbox.kubeconfig');
  assert.ok(text.includes(`kubectl --kubeconfig '${file}' get vm --all-namespaces\n`), text);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const kubeconfig = readFileSync(file, 'utf8');
  const urls = [...text.matchAll(/^ {2}sandbox-\d +(https:\S+)$/gm)].map(([, url]) => url);
  assert.equal(urls.length, 2);
  for (const url of urls) assert.ok(kubeconfig.includes(`server: ${url}\n`), kubeconfig);
  child.kill('SIGINT');
  const [code] = (await once(child, 'exit')) as [number | null];
  assert.equal(code, 0);
});

test('what keeps it from starting is said in a sentence, and nothing is left running', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  writeFileSync(join(folder, 'file'), '');
  const cases: readonly { args: readonly string[]; says: string }[] = [
    {
      args: ['--listen', `127.0.0.1:${port}`],
      says: `sandbox.listen: cannot listen on 127.0.0.1:${port}: another process`,
    },
    {
      args: ['--listen', '192.0.2.1:7443'],
      says: 'sandbox.listen: cannot listen on 192.0.2.1:7443: address not available',
    },
    {
      args: ['--listen', '127.0.0.1:0', '--kubeconfig', 'file/x'],
      says: 'sandbox.kubeconfig: cannot write the kubeconfig: ',
    },
    {
      args: ['--listen', '127.0.0.1:0', '--data', 'file'],
      says: `sandbox.data: cannot use the data folder "${join(folder, 'file')}": `,
    },
  ];
  for (const { args, says } of cases) {
    const { status, stdout, stderr } = spawnSync(launcher, ['sandbox', '--bare', ...args], {
      cwd: folder,
      timeout: limit,
      encoding: 'utf8',
    });
    assert.equal(status, 1, `${args.join(' ')}\n${stdout}${stderr}`);
    assert.equal(stdout, '');
    assert.ok(stderr.startsWith(`ssvirt: cannot use the configuration because of a problem:\n  ${says}`), stderr);
    assert.doesNotMatch(stderr, /^ +at /m);
  }
  taken.close();
});
