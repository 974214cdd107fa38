/** cspell reads the documentation, the descriptions of the CRDs and alerts, and the messages of the product, by cspell.json at the root. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { before, suite, test } from 'node:test';
import { repository, textOf } from './places.ts';
import { spelledTexts } from './spelled-texts.ts';

const list = 'test/prose/words.txt';
const cspell = join(repository, 'node_modules/.bin/cspell');
const flags = ['lint', '--config', join(repository, 'cspell.json'), '--no-progress', '--no-summary', '--dot'];

/** Lines such as `docs/a.md:3:7 - Unknown word (abcdef)`. cspell takes a second to start, so that it is run once. */
function problems(texts: ReadonlyMap<string, string>): readonly string[] {
  const root = mkdtempSync(join(tmpdir(), 'ssvirt-spelling-'));
  try {
    for (const [file, text] of texts) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      // As plain text: what is not prose was taken out before.
      writeFileSync(join(root, `${file}.txt`), text.replaceAll(/[ \t]+$/gm, ''));
    }
    const args = [cspell, ...flags, '--root', root, '**/*.txt'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    assert.equal(status, 1, `cspell fails, or does not see the planted mistakes: ${stderr}`);
    return stdout.split('\n').map((line) => line.replace(/^(?:\.\/)?(.*?)\.txt:/, '$1:'));
  } finally {
    rmSync(root, { recursive: true });
  }
}

suite('spelling', () => {
  const planted = 'planted.md';
  const texts = new Map([...spelledTexts()].filter(([, text]) => /\S/.test(text)));
  let lines: readonly string[] = [];
  before(() => {
    const mistakes = 'KubeVirt and ssvirt\nare kubeconfigs, and recieve behaviour\nis labelled.\n';
    lines = problems(new Map([...texts, [planted, mistakes]])).filter((line) => line !== '');
  });

  test('every word is American English, or a name or term of the list', () => {
    assert.ok(texts.size > 100, `${texts.size} texts are found`);
    const found = lines.filter((line) => !line.startsWith(planted));
    const hint = `use American spelling; add a name or a term of the field to ${list}, in alphabetical order`;
    assert.ok(found.length === 0, [`cspell does not know ${found.length} words: ${hint}`, ...found].join('\n'));
  });

  test('cspell finds misspelled and British words, and knows the terms of the list', () => {
    assert.deepEqual(
      lines.filter((line) => line.startsWith(planted)).map((line) => line.replace(/ fix:.*/, '')),
      [
        'planted.md:2:22 - Unknown word (recieve)',
        'planted.md:2:30 - Unknown word (behaviour)',
        'planted.md:3:4 - Forbidden word (labelled)',
      ],
    );
  });
});

test(`${list} is sorted and has every word once`, () => {
  const words = textOf(list).trimEnd().split('\n');
  assert.deepEqual(
    words,
    [...new Set(words)].toSorted((one, other) => one.localeCompare(other, 'en')),
  );
});
