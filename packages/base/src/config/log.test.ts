/** No log line is lost, however a process ends itself. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const endings = {
  'that ends itself': 'process.exit(3)',
  'that an error ends': "throw new Error('by a defect')",
  'that comes to its end': '',
};

for (const [which, ending] of Object.entries(endings))
  test(`a process ${which} has written what it said, line by line and in order`, () => {
    const script = `
      import { createLogger } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
      const log = createLogger({ level: 'info', format: 'json' });
      for (const at of [1, 2, 3]) log.info({ at }, 'said');
      ${ending}`;
    const options = { encoding: 'utf8', timeout: 60_000 } as const;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], options);
    const said = stderr
      .split('\n')
      .filter((line) => line.startsWith('{"level"'))
      .map((line) => (JSON.parse(line) as { readonly at: number }).at);
    assert.deepEqual(said, [1, 2, 3]);
  });

test('lines for machines have their names spelled out where that is asked for', () => {
  const script = `
    import { createLogger } from ${JSON.stringify(new URL('log.ts', import.meta.url).href)};
    createLogger({ level: 'info', format: 'json' }, { spelledOut: true }).info({ machine: 'web' }, 'said');`;
  const options = { encoding: 'utf8', timeout: 60_000 } as const;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], options);
  const line = stderr.split('\n').find((one) => one.startsWith('{')) ?? '{}';
  const { timestamp, ...rest } = JSON.parse(line) as Record<string, unknown>;
  assert.deepEqual(rest, { level: 'info', machine: 'web', message: 'said' });
  assert.match(String(timestamp), /^\d{4}-\d\d-\d\dT/);
});
