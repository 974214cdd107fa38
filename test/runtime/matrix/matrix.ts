/** The fault matrix as tests, and the table of recovery times at the end. */
import { after, before, describe, test } from 'node:test';
import { startHarness, type Harness, type HarnessKind } from '../harness.ts';
import { runCell } from './cell.ts';
import { faultRows } from './faults.ts';
import { operations } from './operations.ts';

/** The number of concurrent cells: most of the time they wait. */
const concurrency = 12;

/**
 * Which cells run: all, or every second one, so that every fault and every operation occurs; both halves together are
 * all.
 */
export type Share = 'all' | 'one half' | 'other half';

export function runMatrix(kind: HarnessKind, share: Share = 'all'): void {
  const times = new Map<string, string>();
  describe(
    `the fault matrix on ${kind === 'sandbox' ? 'the sandbox' : 'a kube-apiserver'}`,
    { timeout: 300_000 },
    () => {
      let harness: Harness;
      before(async () => {
        harness = await startHarness(kind);
      });
      after(async () => {
        await harness?.stop();
        if (share === 'all') process.stderr.write(table(times));
      });

      const cells = faultRows
        .flatMap((row, place) => operations.map((operation, column) => ({ row, operation, turn: place + column })))
        .filter(({ turn }) => share === 'all' || turn % 2 === (share === 'one half' ? 0 : 1));
      const tests = (alone: boolean): void => {
        for (const { row, operation } of cells.filter(({ row }) => (row.alone === true) === alone)) {
          const why = row.not?.[operation];
          test(`no reconnect: ${row.name}, ${operation}`, { skip: why ?? false }, async () => {
            const { milliseconds } = await runCell(harness, row, operation);
            times.set(`${row.name} ${operation}`, `${Math.round(milliseconds)} ms`);
          });
        }
      };
      describe('faults of one connection', { concurrency }, () => tests(false));
      describe('faults of the server', { concurrency: 1 }, () => tests(true));
    },
  );
}

function table(times: ReadonlyMap<string, string>): string {
  const rows = [
    ['recovery after', ...operations],
    ...faultRows.map(({ name, not }) => [
      name,
      ...operations.map((operation) =>
        not?.[operation] === undefined ? (times.get(`${name} ${operation}`) ?? 'FAILED') : '–',
      ),
    ]),
  ];
  const widths = operations.map((_, column) => Math.max(...rows.map((row) => (row[column + 1] ?? '').length)));
  const first = Math.max(...rows.map(([name = '']) => name.length));
  const lines = rows.map(([name = '', ...cells]) =>
    [name.padEnd(first), ...cells.map((cell, column) => cell.padStart(widths[column] ?? 0))].join('  '),
  );
  return `${lines.join('\n')}\n`;
}
