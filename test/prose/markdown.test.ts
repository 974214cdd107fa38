import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { longLines, proseOf } from './markdown.ts';
import { withoutQuotations } from './quotations.ts';
import { filler } from './source-text.ts';
import { hitsIn } from './word-list.ts';

/** What is left to read, each run of blanked signs as one dash. */
function left(text: string): string {
  return text.replaceAll(new RegExp(`[${filler}]+`, 'g'), '-');
}

suite('prose is a page without', () => {
  for (const [title, page, prose] of [
    ['fenced code', 'a\n```sh\nnobody\n```\nb', 'a\n-\n-\n-\nb'],
    ['fenced code in a list', '1. a\n   ```sh\n   nobody\n   ```\n2. b', '1. a\n-\n-\n-\n2. b'],
    ['fenced code that holds a fence', '````\n```\na\n```\n````\nb', '-\n-\n-\n-\n-\nb'],
    ['a fence that is not closed', 'a\n~~~\nb', 'a\n-\n-'],
    ['comments', 'a <!-- b --> c', 'a - c'],
    ['the targets of links', '[a](nobody.md#b) and <https://c.d/e>', '[a]- and -'],
    ['the targets of references', '[a]: nobody.md', '[a]:-'],
  ] as const)
    test(title, () => assert.equal(left(proseOf(page)), prose));
});

suite('quotations and code spans are blanked', () => {
  for (const [text, rest] of [
    ['runs as `nobody` here', 'runs as - here'],
    ['a ``b ` c`` d', 'a - d'],
    ['a `b\nc` d', 'a -\n- d'],
    ['a ` b\n\nc ` d', 'a ` b\n\nc ` d'],
    ['it says "nobody waits" then', 'it says - then'],
    ['it says “nobody waits” then', 'it says - then'],
    ["it says 'is told' then", 'it says - then'],
    ["tenants' VMs and others' disks", "tenants' VMs and others' disks"],
    ["it's nobody's", "it's nobody's"],
    ['a 3" disk and a 5" disk', 'a 3" disk and a 5" disk'],
    ['" is told by "', '" is told by "'],
  ] as const)
    test(text, () => assert.equal(left(withoutQuotations(text)), rest));
});

suite('a line of the page is too long', () => {
  const limit = 10;
  for (const [title, page, lines] of [
    ['where prose has more columns', 'short\nthis is not short', [2]],
    ['counted in characters, not bytes', 'äöüäöü…äöü', []],
    ['in a list too', '- this is not short', [1]],
    ['but not in a table', '| this is a table |', []],
    ['but not in a heading', '## this is a heading', []],
    ['but not in fenced code', '```\nthis is not short\n```', []],
    ['but not where it is one link', '- [this is](a/long/link.md)\n[a]: https://example.org\nhttps://example.org', []],
    ['where a link is a part of it', 'see [a](b.md) for more', [1]],
    ['where a code span is a part of it', 'see `this and that`', [1]],
  ] as const)
    test(title, () =>
      assert.deepEqual(
        longLines(page, limit).map(({ line }) => line),
        lines,
      ),
    );
});

suite('words to rewrite', () => {
  for (const [text, words] of [
    ['Nobody waits; somebody is told anew', ['Nobody', 'somebody', 'is told', 'anew']],
    ['they were\n   told', ['were\n   told']],
    ['none of it, what there is, unless said', ['none of it', 'what there is', 'unless said']],
    ['it is so. The server is away. A wish, whosoever', ['it is so', 'is away', 'A wish', 'whosoever']],
    ['the text stands in a file', ['stands']],
    ['VDC stands for virtual data center; time stands still', []],
    ['PostgreSQL runs as the user nobody', []],
    ['everybody said so; it was retold', []],
    [`is ${filler} told`, []],
  ] as const)
    test(JSON.stringify(text), () =>
      assert.deepEqual(
        hitsIn(text).map(({ word }) => word),
        words,
      ),
    );
});
