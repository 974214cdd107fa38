/** The documented table of power operations is the one that the product uses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { powerDecision, powerOperations, powerStatuses } from '../../packages/ssvirt/src/kubevirt/power/table.ts';
import { textOf } from './pages.ts';

test('docs/tenant/vms.md says which power operation is possible in which state', () => {
  const rows = textOf('docs/tenant/vms.md')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  const [head, , ...said] = rows;
  assert.deepEqual(head, ['status', ...powerOperations]);
  const word = (operation: (typeof powerOperations)[number], status: string): string =>
    powerDecision(operation, status).allowed ? 'yes' : 'no';
  assert.deepEqual(
    said,
    powerStatuses.map((status) => [status, ...powerOperations.map((operation) => word(operation, status))]),
  );
});
