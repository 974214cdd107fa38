import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { Checks } from './checks.ts';

const fails = (): never => {
  throw new Error('no connection to 10.0.0.7');
};

function checks(extra: Readonly<Record<string, () => void>>): { checks: Checks; lines: string[] } {
  const lines: string[] = [];
  const made = new Checks('readyz', pino({ base: null }, { write: (line: string) => void lines.push(line) }));
  for (const [name, check] of Object.entries(extra)) made.add(name, check);
  return { checks: made, lines };
}

interface Row {
  readonly reason: string;
  readonly path?: string;
  readonly query?: string;
  readonly code: number;
  readonly text: string;
}

const rows: readonly Row[] = [
  {
    reason: 'one failed check fails all, and the reason is not for everybody',
    code: 500,
    text: '[+]ping ok\n[+]good ok\n[-]bad failed: reason withheld\nreadyz check failed\n',
  },
  { reason: 'a failed check may be left out', query: 'exclude=bad', code: 200, text: 'ok' },
  {
    reason: 'verbose tells of every check',
    query: 'verbose&exclude=bad&exclude=none',
    code: 200,
    text: '[+]ping ok\n[+]good ok\n[+]bad excluded: ok\nwarn: some checks cannot be excluded: no matches for "none"\nreadyz check passed\n',
  },
  { reason: 'one check by its path', path: '/good', code: 200, text: 'ok' },
  {
    reason: 'who asks for one check gets its reason',
    path: '/bad',
    code: 500,
    text: 'internal server error: no connection to 10.0.0.7\n',
  },
  { reason: 'a check that there is not', path: '/none', code: 404, text: '404 page not found\n' },
];

for (const { reason, path = '', query = '', code, text } of rows) {
  test(`M2: answers as Kubernetes' own servers do: ${reason}`, async () => {
    const { checks: made } = checks({ good: () => undefined, bad: fails });
    assert.deepEqual(await made.answer(path, new URLSearchParams(query)), { code, text });
  });
}

test('M2: the log tells when a check begins to fail and when it passes again, not at each probe', async () => {
  let broken = true;
  const { checks: made, lines } = checks({ one: () => (broken ? fails() : undefined) });
  const probe = (): Promise<unknown> => made.answer('', new URLSearchParams());
  await probe();
  await probe();
  broken = false;
  await probe();
  await probe();
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    ['health check failed', 'health check passes again'],
  );
  assert.match(lines[0] ?? '', /no connection to 10\.0\.0\.7/);
});

test('M2: two checks of one name are refused, and names that no path can bear', () => {
  const { checks: made } = checks({ one: () => undefined });
  assert.throws(() => made.add('one', () => undefined), /it exists already/);
  assert.throws(() => made.add('a/b', () => undefined), /not a name/);
});
