import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { notices, noticesFile, thirdParties } from '../../deploy/notices/generate.ts';

/** The licenses under which a product under Apache-2.0 may redistribute a package, each with its requirements. */
const compatible: Readonly<Record<string, string>> = {
  '0BSD': 'nothing',
  'Apache-2.0': 'its text and notices',
  'BlueOak-1.0.0': 'its text',
  'BSD-3-Clause': 'its text',
  ISC: 'its text',
  MIT: 'its text',
  'MPL-2.0': 'its text, the source of its files, and changes of these under the same; none is changed here',
};

test('every package that is needed to run has a licence that goes with ours', () => {
  const others = thirdParties().filter(({ license }) => !(license in compatible));
  assert.deepEqual(others, []);
  assert.ok(thirdParties().length > 100);
});

test('the notices are those that `make docs` writes', () => {
  const written = readFileSync(noticesFile, 'utf8');
  assert.ok(written === notices(), 'THIRD-PARTY-NOTICES is not up to date: run make docs');
  for (const { name, version } of thirdParties()) assert.ok(written.includes(`${name} ${version} (`), name);
});
