import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longLines } from './markdown.ts';
import { isGenerated, markdownPages, textOf } from './places.ts';

const limit = 120;

test(`no line of prose in Markdown has more than ${limit} columns`, () => {
  const pages = markdownPages().filter((page) => !isGenerated(page));
  assert.ok(pages.length > 20, `${pages.length} pages are found`);
  const long = pages.flatMap((page) =>
    longLines(textOf(page), limit).map(
      ({ line, columns, text }) => `${page}:${line}: ${columns}: ${text.slice(0, 80)}`,
    ),
  );
  assert.ok(
    long.length === 0,
    [`${long.length} lines of prose are too long; wrap them at ${limit}`, ...long].join('\n'),
  );
});
