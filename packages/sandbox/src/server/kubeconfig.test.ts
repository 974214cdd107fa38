import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { loadIdentity } from './identity.ts';
import { kubeconfig, otherClusters, writeKubeconfig } from './kubeconfig.ts';

const folder = mkdtempSync(join(tmpdir(), 'ssvirt-kubeconfig-'));
after(() => rmSync(folder, { recursive: true }));

const identity = await loadIdentity({ host: '127.0.0.1' });
const ofNames = (...names: string[]): string =>
  kubeconfig(names.map((name) => ({ name, url: 'https://127.0.0.1:1', identity })));

test('only its owner can read it, whatever lay there before', () => {
  const path = join(folder, 'mode');
  writeFileSync(path, 'old', { mode: 0o644 });
  writeFileSync(`${path}.new`, 'left over', { mode: 0o644 });
  writeKubeconfig(path, 'new');
  assert.equal(readFileSync(path, 'utf8'), 'new');
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('it is not written through a link that another user made', () => {
  const path = join(folder, 'link');
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, '');
  symlinkSync(elsewhere, `${path}.new`);
  writeKubeconfig(path, 'secret');
  assert.equal(readFileSync(elsewhere, 'utf8'), '');
  assert.equal(readFileSync(path, 'utf8'), 'secret');
});

const CASES: readonly (readonly [reason: string, text: string, others: readonly string[]])[] = [
  ['one that a sandbox wrote', ofNames('sandbox'), []],
  ['one that several sandboxes share', ofNames('sandbox-1', 'sandbox-2'), []],
  ['one of other clusters', ofNames('production', 'sandbox'), ['production']],
  ['something else', 'a: [', []],
  ['an empty file', '', []],
];
for (const [reason, text, others] of CASES) {
  test(`clusters that would be lost in ${reason}`, () => {
    const path = join(folder, 'others');
    writeFileSync(path, text);
    assert.deepEqual(otherClusters(path), others);
  });
}

test('clusters that this sandbox gives a name of its own are not lost', () => {
  const path = join(folder, 'named');
  writeFileSync(path, ofNames('sandbox', 'east', 'production'));
  assert.deepEqual(otherClusters(path, ['sandbox', 'east']), ['production']);
});

test('no clusters are lost in a file that is not there', () => {
  assert.deepEqual(otherClusters(join(folder, 'nowhere')), []);
});
