import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';

const launcher = resolve(import.meta.dirname, '../../../bin/ssvirt');
const folder = mkdtempSync(join(tmpdir(), 'ssvirt main '));
after(() => rmSync(folder, { recursive: true }));

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function ssvirt(args: readonly string[], env: Readonly<Record<string, string>> = {}, command = launcher): Outcome {
  const { status, stdout, stderr } = spawnSync(command, args, {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

test('--version prints the version', () => {
  const { status, stdout } = ssvirt(['--version']);
  assert.equal(status, 0);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

test('the launcher finds its repository through links, from any folder', () => {
  mkdirSync(join(folder, 'a b'));
  symlinkSync(launcher, join(folder, 'a b', 'first'));
  symlinkSync('a b/first', join(folder, 'second'));
  assert.equal(ssvirt(['--version'], {}, join(folder, 'second')).status, 0);
});

test('config check says nothing is wrong and exits with 0, or says what is and exits with 1', () => {
  const right = ssvirt(['config', 'check', write('right.yaml', 'log: {level: warn}\n')]);
  assert.deepEqual(right, { status: 0, stdout: 'right.yaml is valid\n', stderr: '' });
  const wrong = ssvirt(['config', 'check', write('wrong.yaml', 'log: {levle: warn}\nsandbox: {clusters: 0}\n')]);
  assert.equal(wrong.status, 1);
  assert.equal(
    wrong.stderr,
    'ssvirt: cannot use the configuration because of 2 problems:\n' +
      '  wrong.yaml:1:7: log.levle is not a key: did you mean log.level?\n' +
      '  wrong.yaml:2:21: sandbox.clusters: "0" is not a whole number from 1 to 64: write such a number\n',
  );
});

test('config check looks at the file only, not at the environment', () => {
  const file = write('right.yaml', 'log: {level: warn}\n');
  assert.equal(ssvirt(['config', 'check', file], { SSVIRT_SANDBOX_CLUSTERS: 'x' }).status, 0);
});

test('config explain prints a key with all of its names, its value and where that comes from', () => {
  const file = write('explain.yaml', 'log: {level: warn}\n');
  const { status, stdout } = ssvirt(['config', 'explain', 'log.level', '--config', file]);
  assert.equal(status, 0);
  for (const part of ['log.level', 'SSVIRT_LOG_LEVEL', '--log-level', 'info', /warn +\(from explain\.yaml:1:14\)/]) {
    assert.match(stdout, new RegExp(part));
  }
  assert.doesNotMatch(stdout, /sandbox/);
});

test('config explain never prints a secret', () => {
  write('token', 'hunter2');
  const { stdout, stderr } = ssvirt(['config', 'explain'], { SSVIRT_SANDBOX_TOKEN_FILE: 'token' });
  assert.match(stdout, /value +<set> +\(from SSVIRT_SANDBOX_TOKEN_FILE\)/);
  assert.doesNotMatch(stdout + stderr, /hunter2/);
});

test('config explain of an unknown key suggests the one that was meant', () => {
  const { status, stderr } = ssvirt(['config', 'explain', 'sandbox.lisen']);
  assert.equal(status, 2);
  assert.match(stderr, /Did you mean sandbox\.listen\?/);
});

test('a command line that is no good exits with 2 and leads to the help of the command', () => {
  const { status, stderr } = ssvirt(['config', 'chekc']);
  assert.equal(status, 2);
  assert.match(stderr, /Did you mean check\?/);
  assert.match(stderr, /see "ssvirt config --help"/);
});
