/** How a page is split into scenes, and how their output is put back into it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../docs/pages.ts';
import { normalised } from './normalise.ts';
import { scenesOf, serverOf, withOutputs } from './page.ts';

const page = [
  '# a',
  '```sh story-server',
  'serve',
  '```',
  '```sh story',
  'one',
  '```',
  'words',
  '```sh story',
  'two',
  '```',
  '',
  '```console',
  'old',
  '```',
  '',
].join('\n');

test('scenes are found with their line, and with what the page shows of them', () => {
  assert.equal(serverOf(page), 'serve\n');
  assert.deepEqual(scenesOf(page), [
    { script: 'one\n', line: 5 },
    { script: 'two\n', line: 9, shown: 'old\n' },
  ]);
  assert.equal(withOutputs(page, ['hidden\n', 'new\n']), page.replace('old', 'new'));
});

test('ids, ages, addresses and widths do not count, and other words do', () => {
  const said = 'shop-0a1b2c3d   10.0.0.7  3m12s  node02\n';
  assert.deepEqual(normalised(said), normalised('shop-ffffffff 192.0.2.1 9s node01'));
  assert.notDeepEqual(normalised('"status":"POWERED_ON"'), normalised('"status":"POWERED_OFF"'));
});

test('every scene of the story that shows something shows what came out', () => {
  const shown = scenesOf(textOf('docs/story.md')).flatMap((scene) => scene.shown ?? []);
  assert.ok(shown.length > 10);
  for (const text of shown) assert.notEqual(text, '', 'run make story');
});
