import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { problemOfMessage } from './log-messages.ts';

const repository = resolve(import.meta.dirname, '../..');

for (const right of [
  'cluster identity changed, writes suspended',
  'VMs of all namespaces readable',
  'Machine phase changed',
])
  test(`"${right}" is a log message`, () => assert.equal(problemOfMessage(right), undefined));

for (const [wrong, why] of [
  ['Stopping', /lower case/],
  ['the server stops.', /full stop/],
  ['somebody fails when clusters come and go', /"somebody"/],
] as const)
  test(`"${wrong}" is no log message`, () => assert.match(problemOfMessage(wrong) ?? '', why));

test('the linter refuses every form of a planted wrong message', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'ssvirt-log-messages-'));
  t.after(() => rmSync(root, { recursive: true }));
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  cpSync(join(repository, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
  cpSync(join(repository, 'test/architecture'), join(root, 'test/architecture'), { recursive: true });
  mkdirSync(join(root, 'packages/ssvirt/src/fleet'), { recursive: true });
  const lines = [
    'log.warn({ a }, `cluster ${a} is gone`);',
    "log[level]({ a }, 'Gone');",
    "parts.log?.info('it is gone.');",
    "this.#log.error({ a }, a ? 'gone' : 'nobody answers');",
    "log.info({ a }, 'cluster is gone');",
    "console.info('Gone.');",
    'log.warn({ a }, message);',
    'log.warn({ a }, problem.message);',
    "log.warn({ a }, a ? 'gone' : message);",
    "log.warn({ a }, 'gone: ' + message);",
    'log.warn({ a }, messageOf(a));',
    'log.warn(message);',
    'log.warn({ a });',
    "log.warn('gone, ' + 'retrying');",
    "log.warn({ a }, 'Gone, ' + 'retrying');",
  ];
  writeFileSync(
    join(root, 'packages/ssvirt/src/fleet/x.ts'),
    `class X { #log; f(a, log, level, parts) {\n${lines.join('\n')}\n} }\n`,
  );
  const oxlint = join(repository, 'node_modules/.bin/oxlint');
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format=unix', 'packages'], {
    cwd: root,
    encoding: 'utf8',
  });
  const found = stdout.split('\n').filter((line) => line.includes('log message'));
  assert.deepEqual(
    found.map((line) => /x\.ts:(\d+)/.exec(line)?.[1] ?? '').toSorted((one, other) => one.localeCompare(other)),
    [2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 16].map(String).toSorted((one, other) => one.localeCompare(other)),
    stdout,
  );
});
