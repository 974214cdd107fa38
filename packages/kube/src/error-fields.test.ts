import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { TerminalError } from './controller/request.ts';
import { errorFields } from './error-fields.ts';
import { KubeError } from './errors.ts';
import { LeadershipLost } from './leader-election/term.ts';

const refused = new Error('connect ECONNREFUSED 192.0.2.1:6443');
const unreachable = new KubeError('Unreachable', `cannot get nodes in cluster east: ${refused.message}`, {
  cause: refused,
});

const cases: readonly { readonly error: unknown; readonly fields: object; readonly stack: boolean; reason: string }[] =
  [
    {
      reason: 'a server that does not answer is no place in our code, and its message occurs there once',
      error: unreachable,
      fields: { type: 'ApiError', kind: 'Unreachable', message: unreachable.message },
      stack: false,
    },
    {
      reason: 'nor is it one where a reconciler says what it wanted to do',
      error: new Error('cannot import the disk', { cause: unreachable }),
      fields: { type: 'Error', kind: 'Unreachable', message: `cannot import the disk: ${unreachable.message}` },
      stack: false,
    },
    {
      reason: 'a refusal can be found in the audit log of the server',
      error: new KubeError('Forbidden', 'cannot list pods', { code: 403, auditId: 'a-1' }),
      fields: { type: 'ApiError', kind: 'Forbidden', code: 403, auditId: 'a-1', message: 'cannot list pods' },
      stack: false,
    },
    {
      reason: 'a lost lease',
      error: new LeadershipLost('the lease was not renewed'),
      fields: { type: 'LeadershipLost', message: new LeadershipLost('the lease was not renewed').message },
      stack: false,
    },
    {
      reason: 'what only a change of the object mends',
      error: new TerminalError('there is no such size'),
      fields: { type: 'TerminalError', message: 'there is no such size' },
      stack: false,
    },
    {
      reason: 'a defect has to be found',
      error: new TypeError('x is undefined', { cause: new RangeError('y') }),
      fields: { type: 'TypeError', message: 'x is undefined: y' },
      stack: true,
    },
    { reason: 'what is no error', error: 'broken', fields: { type: 'Error', message: 'broken' }, stack: true },
  ];

for (const { reason, error, fields, stack } of cases)
  test(`the log of an error: ${reason}`, () => {
    const { stack: trace, ...rest } = errorFields(error);
    assert.deepEqual(rest, fields);
    assert.equal(trace !== undefined, stack);
  });

test('the log of an error: a defect shows where it and its cause come from', () => {
  const { stack = '' } = errorFields(new TypeError('outer', { cause: new RangeError('inner') }));
  assert.match(stack, /^TypeError: outer\n.*error-fields\.test\.ts.*\ncaused by: RangeError: inner\n/s);
});

test('the log of an error: the loggers of all parts have it from the root', () => {
  const lines: string[] = [];
  const log = pino(
    { base: null, serializers: { err: errorFields } },
    { write: (line: string) => void lines.push(line) },
  );
  log.child({ controller: 'x' }).child({ cluster: 'east' }).error({ err: unreachable }, 'reconcile failed');
  assert.equal(lines.length, 1);
  assert.doesNotMatch(lines[0] ?? '', /stack/);
});
