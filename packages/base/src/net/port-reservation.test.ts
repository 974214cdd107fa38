import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { reservePort } from './port-reservation.ts';

const root = mkdtempSync(join(tmpdir(), 'ssvirt-ports-test-'));
const file = join(import.meta.dirname, 'port-reservation.ts');
after(() => rmSync(root, { recursive: true, force: true }));

/** Another process that reserves the port, says whether it could, and lives until its standard input ends. */
async function other(port: number, folder: string): Promise<{ readonly has: boolean; end(): Promise<void> }> {
  const script = `
    import { reservePort } from ${JSON.stringify(file)};
    process.stdout.write(String(reservePort(${port}, ${JSON.stringify(folder)})));
    process.stdin.resume().on('end', () => process.exit(0));
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  const ended = once(child, 'exit');
  return {
    has: said.toString() === 'true',
    end: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

suite('a reserved port', () => {
  test('is refused to others while the process lives, and free again afterwards', async () => {
    const folder = join(root, 'shared');
    const first = await other(20_001, folder);
    assert.equal(first.has, true);
    assert.equal(reservePort(20_001, folder), false);
    assert.equal(reservePort(20_002, folder), true);
    await first.end();
    assert.equal(existsSync(join(folder, '20001')), false);
    assert.equal(reservePort(20_001, folder), true);
    assert.deepEqual(readdirSync(folder).toSorted(), ['20001', '20002']);
  });

  test('of a process that was killed can be reserved', async () => {
    const folder = join(root, 'killed');
    const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(child, 'exit');
    assert.equal(reservePort(20_003, folder), true);
    writeFileSync(join(folder, '20004'), String(child.pid));
    assert.equal(reservePort(20_004, folder), true);
  });

  test('is its own again for the process that has it', () => {
    const folder = join(root, 'own');
    assert.equal(reservePort(20_005, folder), true);
    assert.equal(reservePort(20_005, folder), true);
  });

  test('cannot be recorded where the folder is a file, and counts as free', () => {
    const folder = join(root, 'a-file');
    writeFileSync(folder, '');
    assert.equal(reservePort(20_006, folder), true);
  });
});
