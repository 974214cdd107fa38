// needs: kubectl, curl
/** Runs docs/story.md as printed: the same commands, and the same output except for ids, times and addresses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../docs/pages.ts';
import { normalised } from './normalise.ts';
import { scenesOf } from './page.ts';
import { play } from './play.ts';

const name = 'docs/story.md';

test('a tenant, a platform team and an order system lose nothing when a cluster and the database die', async () => {
  const page = textOf(name);
  const outputs = await play(name, page);
  for (const [at, { shown, line }] of scenesOf(page).entries())
    if (shown !== undefined)
      assert.deepEqual(
        normalised(outputs[at] ?? ''),
        normalised(shown),
        `${name}:${line}: run make story, and look at what changed`,
      );
});
