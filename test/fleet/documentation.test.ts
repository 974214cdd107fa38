/** The page for operators and the code agree. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { conditionTypes, reasons } from '../../packages/ssvirt/src/fleet/kubevirtconfig/reasons.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operator/fleet.md'), 'utf8');

test('every condition and every reason of a KubevirtConfig is explained, and no other', () => {
  const section = page.slice(page.indexOf('## Conditions'), page.indexOf('## New credentials'));
  const rows = [...section.matchAll(/^\| (.{17}) \| `(\w+)` /gm)];
  const types = rows.flatMap(([, type = '']) => (type.trim() === '' ? [] : [type.trim().replaceAll('`', '')]));
  assert.deepEqual(types.toSorted(), Object.values(conditionTypes).toSorted());
  // Some belong to several conditions.
  const explained = new Set(rows.map(([, , reason = '']) => reason));
  assert.deepEqual([...explained].toSorted(), Object.values(reasons).toSorted());
});
