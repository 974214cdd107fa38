import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { topics } from '../conformance/cases/index.ts';
import { areas } from './areas.ts';
import { plant, type Defect } from './defect.ts';

const root = resolve(import.meta.dirname, '../..');
const all = Object.values(areas).flat();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

for (const [area, defects] of Object.entries(areas))
  describe(`the defects of the area ${area}`, () => {
    for (const defect of defects)
      test(`can be planted, and name tests that exist: ${defect.file}: ${defect.why}`, () => {
        const source = read(defect.file);
        assert.notEqual(plant(defect, source), source);
        const { file, only = [], topics: named = [] } = defect.noticedBy;
        const tests = sourcesOf(file);
        for (const name of only) assert.ok(hasTest(tests, name), `there is no test "${name}" in ${file}`);
        for (const topic of named) assert.ok(topic in topics, `there is no topic "${topic}"`);
      });

    test('have at least one that CI plants', () => {
      assert.ok(defects.some(({ ci = false }) => ci));
    });
  });

test('every defect has a description of its own', () => {
  assert.equal(new Set(all.map(({ why }) => why)).size, all.length);
});

test('a defect is planted only where its text occurs exactly once', () => {
  const defect: Defect = { file: 'x.ts', source: 'a', replacement: '$&b', why: 'x', noticedBy: { file: 'x.test.ts' } };
  assert.equal(plant(defect, 'cab'), 'c$&bb');
  assert.throws(() => plant(defect, 'bcd'), /"a" occurs 0 times/);
  assert.throws(() => plant(defect, 'aba'), /"a" occurs 2 times/);
});

/** The file, and the files of cases that it imports, directly or by others. */
function sourcesOf(file: string): string {
  const own = read(file);
  const cases = [...own.matchAll(/from '([\w./-]+-cases\.ts)'/g)].map(([, name = '']) => join(dirname(file), name));
  return [own, ...cases.map(sourcesOf)].join('\n');
}

/** Whether the source has a test of this name: in a call, where `${…}` of a name may be anything, or as a string in a table. */
function hasTest(source: string, name: string): boolean {
  const names = [...source.matchAll(/\btest\(\s*(['"`])(.*?)(?<!\\)\1/gs)].map(([, , found = '']) => found);
  return source.includes(`'${name}'`) || names.some((one) => patternOf(one).test(name));
}

function patternOf(name: string): RegExp {
  const parts = name.split(/\$\{.*?\}/).map((part) => part.replaceAll(/[/\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`);
}
