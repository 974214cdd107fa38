import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lockFolder } from './folder-lock.ts';

const scratch = mkdtempSync(join(tmpdir(), 'ssvirt-lock-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

test('a folder is had once, and again when it was released', () => {
  const folder = join(scratch, 'twice', 'deep');
  const lock = lockFolder(folder);
  const message = `cannot use the data folder "${folder}": another sandbox (process ${process.pid}) uses it`;
  assert.throws(() => lockFolder(folder), { name: 'StartError', message });
  lock.release();
  lockFolder(folder).release();
});

test('a folder is free again when its process was killed', async () => {
  const folder = join(scratch, 'killed');
  const module = JSON.stringify(join(import.meta.dirname, 'folder-lock.ts'));
  const code = `import(${module}).then(({ lockFolder }) => { lockFolder(${JSON.stringify(folder)}); gc(); console.log('held'); setInterval(() => {}, 1000); })`;
  const child = spawn(process.execPath, ['--expose-gc', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await once(child.stdout, 'data');
    assert.throws(() => lockFolder(folder), { message: new RegExp(`process ${child.pid}\\) uses it`) });
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  lockFolder(folder).release();
});

test('a path that is no folder is said in a sentence', () => {
  const file = join(scratch, 'file');
  writeFileSync(file, '');
  const message = `cannot use the data folder "${join(file, 'x')}": not a directory`;
  assert.throws(() => lockFolder(join(file, 'x')), { name: 'StartError', message });
});
