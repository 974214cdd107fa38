/** The words that style forbids, because a sentence with one of them is hard to read: none where users read, and few in comments. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { proseOf } from './markdown.ts';
import {
  definitions,
  generatorSources,
  manifests,
  markdownPages,
  productSources,
  sources,
  testSources,
  textOf,
} from './places.ts';
import { withoutCode, withoutQuotations } from './quotations.ts';
import { isSentence, lineAt, readSource, type Span } from './source-text.ts';
import { titlesOf } from './test-titles.ts';
import { hitsIn } from './word-list.ts';

/** More than these, and the style has not been kept. */
const commentLimit = 50;

const places: readonly (readonly [
  place: string,
  files: readonly string[],
  hits: (file: string) => readonly string[],
])[] = [
  ['the texts of the product', productSources(), stringHits],
  ['the texts that generated pages are made of', generatorSources(), stringHits],
  ['the descriptions of the CRDs', definitions(), plainHits],
  ['the chart, alerts, dashboards, rights and samples', manifests(), plainHits],
  ['the documentation', markdownPages(), pageHits],
  ['the titles of tests', testSources(), titleHits],
];

suite('the words of the style guide that mark a sentence to rewrite', () => {
  for (const [place, files, hitsOf] of places)
    test(`are not in ${place}`, () => {
      assert.ok(files.length > 0, `${place}: no file is found`);
      const hits = files.flatMap(hitsOf);
      assert.ok(hits.length === 0, report(`${place}: ${hits.length} hits; rewrite the sentences`, hits));
    });

  test(`are in fewer than ${commentLimit} comments`, () => {
    const files = sources();
    assert.ok(files.length > 1000, `${files.length} files are found`);
    const hits = files.flatMap((file) => spanHits(file, readSource(textOf(file)).comments));
    assert.ok(hits.length < commentLimit, report(`comments: ${hits.length} hits; rewrite the sentences`, hits));
  });
});

function stringHits(file: string): readonly string[] {
  return spanHits(file, readSource(textOf(file)).strings.filter(isSentence));
}

function titleHits(file: string): readonly string[] {
  return spanHits(file, titlesOf(textOf(file)));
}

function spanHits(file: string, spans: readonly Span[]): readonly string[] {
  const found = spans.flatMap(({ start, text }) => hitsIn(withoutQuotations(text)).map(({ offset }) => start + offset));
  return found.length === 0 ? [] : linesAt(file, textOf(file), found);
}

function pageHits(file: string): readonly string[] {
  const text = textOf(file);
  const found = hitsIn(withoutQuotations(proseOf(text))).map(({ offset }) => offset);
  return linesAt(file, text, found);
}

/** Quotation marks are part of YAML and JSON. Comments may go on in the next line. */
function plainHits(file: string): readonly string[] {
  const text = textOf(file);
  const prose = withoutCode(text).replaceAll(/^[ \t]*#+/gm, (sign) => ' '.repeat(sign.length));
  return linesAt(
    file,
    text,
    hitsIn(prose).map(({ offset }) => offset),
  );
}

function linesAt(file: string, text: string, offsets: readonly number[]): readonly string[] {
  const lines = text.split('\n');
  return offsets.map((offset) => {
    const line = lineAt(text, offset);
    const column = offset - text.lastIndexOf('\n', offset - 1) - 1;
    return `${file}:${line}: ${excerpt(lines[line - 1] ?? '', column)}`;
  });
}

/** Enough of a line to find the sentence. */
function excerpt(line: string, column: number): string {
  return line.slice(Math.max(0, column - 60), column + 80).trim();
}

function report(summary: string, hits: readonly string[]): string {
  const folders = Map.groupBy(hits, (hit) => /^[^:/]*(?:\/[^:/]+(?=\/))?/.exec(hit)?.[0] ?? '');
  const counts = [...folders].map(([folder, { length }]) => `${folder} ${length}`).toSorted();
  return [`${summary} (style guide, section 2)`, counts.join(', '), ...hits].join('\n');
}
