/** An unusable data folder is reported in a sentence, without a stack, and left unchanged. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { httpClient } from '../conformance/http.ts';
import { notRun } from '../not-run.ts';
import { sandboxProcess, type SandboxProcess } from './process.ts';

describe('a data folder', { timeout: 240_000 }, () => {
  let sandbox: SandboxProcess;
  const flags = (data: string): string[] => [
    '--data',
    data,
    '--listen',
    '127.0.0.1:0',
    '--kubeconfig',
    join(sandbox.folder, 'other.kubeconfig'),
  ];

  before(async () => {
    sandbox = await sandboxProcess();
    await sandbox.start();
  });
  after(() => sandbox?.remove());

  async function refusal(data: string): Promise<string> {
    const { code, text } = await sandbox.refused(flags(data));
    assert.equal(code, 1, text);
    assert.doesNotMatch(text, /^ +at /m, 'there is a stack');
    return text.trim().split('\n').at(-1)?.trim() ?? '';
  }

  test('is used by one process at a time', async () => {
    const identity = readFileSync(join(sandbox.data, 'sandbox/identity.json'), 'utf8');
    const text = await refusal(sandbox.data);
    assert.match(text, /^sandbox\.data: cannot use the data folder "[^"]+": another sandbox \(process \d+\) uses it$/);
    assert.equal(readFileSync(join(sandbox.data, 'sandbox/identity.json'), 'utf8'), identity);
    const client = httpClient(sandbox.credentials());
    const { status } = await client.send({ method: 'GET', path: '/api/v1/namespaces' });
    client.close();
    assert.equal(status, 200, 'the first one goes on');
  });

  test('can be used again after the process was killed', async () => {
    await sandbox.end('SIGKILL');
    await sandbox.start();
  });

  test('is refused when its port is taken, and is free afterwards', async () => {
    const other = join(sandbox.folder, 'other');
    const { code, text } = await sandbox.refused([
      '--data',
      other,
      '--listen',
      `127.0.0.1:${sandbox.port}`,
      '--kubeconfig',
      join(sandbox.folder, 'x'),
    ]);
    assert.equal(code, 1);
    assert.match(
      text,
      new RegExp(
        `cannot listen on 127\\.0\\.0\\.1:${sandbox.port}: another process, perhaps another sandbox, uses the port`,
      ),
    );
    assert.doesNotMatch(text, /^ +at /m);
  });

  const damages: readonly [name: string, file: string, change: (whole: Buffer) => Buffer | string, says: RegExp][] = [
    [
      'a journal that is something else',
      'journal',
      () => 'something\nelse\n',
      /^sandbox\.data: cannot read "[^"]+journal": it is damaged at byte 0; restore a good copy/,
    ],
    [
      'a journal with a changed byte',
      'journal',
      (whole) => whole.fill('#', 100, 101),
      /journal": it is damaged at byte 0; restore a good copy/,
    ],
    [
      'a broken identity',
      'identity.json',
      (whole) => whole.subarray(0, 100),
      /^sandbox\.data: cannot read "[^"]+identity\.json": .+; restore a good copy, or delete the folder/,
    ],
    ['an identity without keys', 'identity.json', () => '{}', /identity\.json": .+; restore a good copy/],
  ];
  for (const [name, file, change, says] of damages) {
    test(`with ${name} is refused, and left as it is`, async () => {
      const data = join(sandbox.folder, name.replaceAll(' ', '-'));
      mkdirSync(join(data, 'sandbox'), { recursive: true });
      for (const each of ['journal', 'identity.json']) {
        const whole = readFileSync(join(sandbox.data, 'sandbox', each));
        writeFileSync(join(data, 'sandbox', each), each === file ? change(whole) : whole);
      }
      const damaged = readFileSync(join(data, 'sandbox', file));
      assert.match(await refusal(data), says);
      assert.deepEqual(readFileSync(join(data, 'sandbox', file)), damaged);
    });
  }

  // Root may write everywhere except to the kernel's file systems.
  const root = process.getuid?.() === 0;
  const missing =
    root &&
    process.platform !== 'linux' &&
    notRun('a data folder that cannot be written to', 'root may write everywhere');
  test('that cannot be written to is refused', { skip: missing }, async () => {
    const folder = root ? '/sys' : join(sandbox.folder, 'read-only');
    if (!root) mkdirSync(folder, { mode: 0o500 });
    const text = await refusal(join(folder, 'data'));
    assert.match(
      text,
      /^sandbox\.data: cannot use the data folder "[^"]+": (permission denied|operation not permitted|read-only file system)$/,
    );
  });
});
