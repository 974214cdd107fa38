/** The options of the runner, and what it refuses before it contacts any cluster. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { parseOptions, usage, UsageError } from './options.ts';

test('flags are read, and what is not said has a default', () => {
  const options = parseOptions(['--doors', 'order,tenant', '--timeout', '90s', '--no-console']);
  assert.ok(options !== 'help');
  assert.deepEqual(options.doors, ['tenant', 'order']);
  assert.equal(options.timeoutMs, 90_000);
  assert.equal(options.console, false);
  assert.ok(usage.includes(options.image));
});

test('a flag that cannot be is refused with what it may be', () => {
  for (const [args, sentence] of [
    [['--doors', 'window'], /"window" is no door: write some of tenant,machine,order/],
    [['--timeout', 'long'], /--timeout: "long" is no duration/],
    [['--memory-mb', '1.5'], /--memory-mb: "1.5" is no whole number/],
    [['--speed', '2'], /--speed/],
  ] as const)
    assert.throws(
      () => parseOptions(args),
      (error) => error instanceof UsageError && sentence.test(error.message),
    );
});

test('without a KUBECONFIG nothing is done, whatever cluster is current', () => {
  const root = resolve(import.meta.dirname, '../..');
  const { status, stderr } = spawnSync(join(root, 'bin/node'), [join(root, 'test/e2e/main.ts')], {
    env: { PATH: process.env['PATH'] },
    encoding: 'utf8',
    timeout: 60_000,
  });
  assert.equal(status, 2);
  assert.match(stderr, /which cluster\? Say it by KUBECONFIG=FILE/);
});
