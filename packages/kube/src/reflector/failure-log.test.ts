import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { FailureLog, type Failed } from './failure-log.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly failures?: number;
}

function scene(): { readonly account: FailureLog; readonly lines: () => readonly string[] } {
  const written: Line[] = [];
  const settings = { level: 'debug', base: null, formatters: { level: (level: string) => ({ level }) } };
  const log = pino(settings, { write: (line: string) => void written.push(JSON.parse(line) as Line) });
  const lines = (): readonly string[] =>
    written.splice(0).map(({ level, msg, failures }) => `${level} ${msg} ${failures}`);
  return { account: new FailureLog(log), lines };
}

const failed = (kind: string, failures: number, failure: Failed['failure'] = 'unavailable'): Failed => ({
  error: new Error(kind),
  kind,
  failure,
  failures,
  state: 'watching',
});

test('an outage is one warning at its start and one line at its end, whatever the number of tries', () => {
  const { account, lines } = scene();
  for (const failures of [1, 2, 3]) account.failed(failed('Unreachable', failures));
  account.works();
  account.works();
  assert.deepEqual(lines(), [
    'warn cannot watch kind, retrying 1',
    'debug cannot watch kind, retrying 2',
    'debug cannot watch kind, retrying 3',
    'info watch recovered 3',
  ]);
});

test('a failure of another kind is logged, and so is the next one after it has worked', () => {
  const { account, lines } = scene();
  account.failed(failed('Unreachable', 1));
  account.failed(failed('Unauthorized', 2));
  account.works();
  account.failed(failed('Unauthorized', 1));
  assert.deepEqual(lines(), [
    'warn cannot watch kind, retrying 1',
    'warn cannot watch kind, retrying 2',
    'info watch recovered 2',
    'warn cannot watch kind, retrying 1',
  ]);
});

test('a version that has run out is no warning', () => {
  const { account, lines } = scene();
  account.failed(failed('Gone', 1, 'expired'));
  assert.deepEqual(lines(), ['info cannot watch kind, retrying 1']);
});

for (const { failure, kind, message } of [
  { failure: 'absent', kind: 'NotFound', message: 'kind not served, install its definition, retrying' },
  { failure: 'forbidden', kind: 'Forbidden', message: 'no rights to list and watch the kind, grant them, retrying' },
] as const)
  test(`what only people can mend says so: ${failure}`, () => {
    const { account, lines } = scene();
    account.failed(failed(kind, 1, failure));
    assert.deepEqual(lines(), [`warn ${message} 1`]);
  });
