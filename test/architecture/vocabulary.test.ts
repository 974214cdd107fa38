/** The glossary's words for what we do not call a concept name neither a file nor an export. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { forbiddenIn, notWords, otherMeanings, refusedWords, wordsOf } from './vocabulary.ts';

const repository = resolve(import.meta.dirname, '../..');
const glossary = readFileSync(join(repository, 'docs/contributor/glossary.md'), 'utf8');

// The names in the sandbox are kept: it is frozen, and what it simulates has words of its own.
const sources = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', 'packages'], {
  cwd: repository,
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
  .split('\0')
  .filter(
    (file) => file.endsWith('.ts') && !/\.(test|fixture)\.ts$/.test(file) && !file.startsWith('packages/sandbox/'),
  );

function exportsOf(text: string): readonly string[] {
  const declared = /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
  return [...text.matchAll(declared)].map(([, name = '']) => name);
}

test('no file and no export has a name that the glossary refuses', () => {
  const refused = refusedWords(glossary);
  assert.ok(refused.length > 40, `${refused.length} refused words`);
  assert.ok(sources.length > 800, `${sources.length} files`);
  const wrong = sources.flatMap((file) => {
    const names = [basename(file, '.ts'), ...exportsOf(readFileSync(join(repository, file), 'utf8'))];
    return names.flatMap((name) => {
      const found = forbiddenIn(name, refused);
      return found === undefined ? [] : [`${file}: ${name} has "${found.word}", which is a ${found.instead}`];
    });
  });
  assert.deepEqual(wrong, []);
});

test('each word with another meaning is one that the glossary refuses', () => {
  const refused = new Set(notWords(glossary).map(({ word }) => word));
  assert.deepEqual(
    [...otherMeanings].filter((word) => !refused.has(word)),
    [],
  );
});

test('words of names are found in every spelling', () => {
  const refused = refusedWords('| change wakeup | Wakes work. | row feed, told |\n| claim | The right. | lock |\n');
  for (const name of ['RowFeed', 'row-feed', 'rowFeeds', 'aRowFeedOf', 'ToldFacts', 'isTold', 'TOLD', 'told'])
    assert.notEqual(forbiddenIn(name, refused), undefined, name);
  for (const name of ['rowOfFeed', 'stolder', 'Untold', 'lockVdc'])
    assert.equal(forbiddenIn(name, refused), undefined, name);
});

test('names are split at capitals, digits and dashes', () => {
  assert.deepEqual(wordsOf('requestHTTPHeader2'), ['request', 'http', 'header']);
  assert.deepEqual(wordsOf('sse-stream.Text_of'), ['sse', 'stream', 'text', 'of']);
});
