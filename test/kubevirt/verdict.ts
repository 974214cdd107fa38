/** Whether a replay came out as it should: the same as recorded, or different and listed so. */
import assert from 'node:assert/strict';
import { listedDifferences } from './differences.ts';

const listed = listedDifferences();

/** Fails with `text` where something differs that is not listed, and where something that is listed does not differ any more. */
export function judge(id: string, same: boolean, text: string): void {
  const reason = listed.get(id);
  if (reason === undefined) assert.ok(same, text);
  else assert.ok(!same, `${id} is the same now: take it out of docs/kubevirt-differences.md`);
}
