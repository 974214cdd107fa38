/** Runs every shell block of README and docs/ that needs no server, and checks the links of all pages. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { anchorsOf, linkedFiles, linkedPlaces, shellBlocks, type Block } from './blocks.ts';
import { sectionsOf, typedBySuites } from './typed.ts';
import { commandsOf, hasServer, pages, repository, runBlock, textOf } from './pages.ts';
import { unreadable } from './readable.ts';

for (const page of pages.filter((one) => !hasServer(one))) commandsOf(page);

for (const page of pages)
  test(`every file and heading that ${page} links to is there`, () => {
    for (const target of linkedFiles(textOf(page))) {
      assert.ok(existsSync(join(repository, dirname(page), target)), `${page} links to ${target}`);
    }
    for (const { file, anchor } of linkedPlaces(textOf(page))) {
      const text = textOf(file === '' ? page : join(dirname(page), file));
      assert.ok(anchorsOf(text).has(anchor), `${page} links to ${file}#${anchor}`);
    }
  });

test('shell blocks are found with their treatment and place', () => {
  const markdown = [
    '# a',
    '```sh',
    'one',
    'two',
    '```',
    '```console',
    '$ x',
    '```',
    '```sh server',
    'three',
    '```',
    '1. in a list',
    '   ```sh by-hand',
    '   four',
    '     five',
    '   ```',
  ].join('\n');
  assert.deepEqual(shellBlocks(markdown), [
    { treatment: 'run', script: 'one\ntwo\n', line: 2 },
    { treatment: 'server', script: 'three\n', line: 9 },
    { treatment: 'by-hand', script: 'four\n  five\n', line: 13 },
  ]);
  assert.throws(() => shellBlocks('```sh sometimes\nx\n```'), /no treatment/);
});

test('every block for a suite is in a section that a suite types, and every such section has one', () => {
  const marked = pages.flatMap((page) =>
    sectionsOf(textOf(page)).flatMap(({ title, blocks }) =>
      blocks.some(({ treatment }) => treatment === 'suite') ? [`${page}: ${title}`] : [],
    ),
  );
  const typed = Object.values(typedBySuites).flatMap(({ page, sections }) =>
    sections.map((title) => `${page}: ${title}`),
  );
  assert.deepEqual(typed.toSorted(), marked.toSorted());
  for (const suite of Object.keys(typedBySuites)) {
    const file = join(repository, 'test/docs', suite);
    assert.match(readFileSync(file, 'utf8'), new RegExp(`typedBySuites\\['${suite}'\\]`));
  }
});

test('a block that fails is reported with its page and line', async () => {
  const block: Block = { treatment: 'run', script: 'false\ntrue\n', line: 7 };
  await assert.rejects(runBlock(block, 'x.md', tmpdir()), /x\.md:7: exit code 1/);
});

test('a block that prints what no user should read is reported with its page and line', async () => {
  const block: Block = { treatment: 'run', script: 'echo "disk undefined"\n', line: 9 };
  await assert.rejects(runBlock(block, 'x.md', tmpdir()), /x\.md:9: .*\n.*not turned into text: undefined/);
});

test('stack traces, values without a text and refused words are unreadable, plain sentences are not', () => {
  assert.deepEqual(
    unreadable('memory is 4 MB; the minimum is 64 MB\nthe Unix user nobody, and `nobody` in code\n'),
    [],
  );
  const word = ['is', 'told'].join(' ');
  const printed = `Error: no\n    at open (node:fs:5:3)\n[object Object]\nthe VM ${word} to stop\n`;
  assert.deepEqual(unreadable(printed), [
    'a stack trace: at open (node:fs:5:3)',
    'a value that was not turned into text: [object Object]',
    `"${word}" in: the VM ${word} to stop`,
  ]);
});

test('links to files are found, those to the web and to anchors are not', () => {
  const markdown = 'See [a](docs/a.md#part), [b](https://example.org), [c](#here), `[d](e)`.\n```sh\n[x](y)\n```\n';
  assert.deepEqual(linkedFiles(markdown), ['docs/a.md']);
  assert.deepEqual(linkedPlaces(markdown), [
    { file: 'docs/a.md', anchor: 'part' },
    { file: '', anchor: 'here' },
  ]);
  const page = '# `a.b`: what it\'s for\n<a id="x"></a>\n```sh\n# no heading\n```\n';
  assert.deepEqual([...anchorsOf(page)], ['ab-what-its-for', 'x']);
});
