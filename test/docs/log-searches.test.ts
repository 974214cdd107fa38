/** A page's log search finds something: its text is in a log message of the product, or is a field. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { pages, textOf } from './pages.ts';

const repository = resolve(import.meta.dirname, '../..');
const sources = globSync('packages/*/src/**/*.ts', { cwd: repository })
  .filter((file) => !/\.(test|suite)\.ts$/.test(file))
  .map((file) => readFileSync(join(repository, file), 'utf8').replaceAll(/\s+/g, ' '));

/** The alternatives of every `logs … | grep 'TEXT'`. */
function searchesOf(page: string): readonly string[] {
  return [...textOf(page).matchAll(/\blogs\b.*\| grep (?:-\w+ )*(?:'([^']+)'|(\w+))/g)].flatMap(([, quoted, word]) =>
    (quoted ?? word ?? '').split('|').map((text) => text.replaceAll('"', '')),
  );
}

const searches = pages.flatMap((page) => searchesOf(page).map((text) => ({ page, text })));
// A number of milliseconds is searched for by its digits.
const words = searches.map(({ page, text }) => ({ page, text: text.replace(/:\[.*$/, '') }));

test('there are pages that search logs', () => assert.ok(words.length > 8, `${words.length}`));

for (const { page, text } of words)
  test(`${page} finds "${text}" in a log`, () =>
    assert.ok(
      sources.some((source) => source.toLowerCase().includes(text.toLowerCase())),
      `no source has "${text}"`,
    ));
