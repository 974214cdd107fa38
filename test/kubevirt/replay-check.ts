/** Whether a replay had the expected result: as recorded, or with a listed difference. */
import assert from 'node:assert/strict';
import { listedDifferences } from './compare/differences.ts';

const listed = listedDifferences();

/** Fails with `text` if an unlisted difference occurs, and if a listed one no longer does. */
export function judge(id: string, same: boolean, text: string): void {
  const reason = listed.get(id);
  if (reason === undefined) assert.ok(same, text);
  else assert.ok(!same, `${id} is the same now: take it out of docs/kubevirt-differences.md`);
}
