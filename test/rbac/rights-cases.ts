/**
 * Every single right of a process is needed: its life is told under its rights and no others, and whatever was granted and never needed is named. Then rights are taken
 * away, one at a time, and each is missed. One takes its turn each day; SSVIRT_TEST_ALL=1 takes each (some minutes).
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { manifests } from '../vm-status/manifests.ts';
import { rightsIn, titleOf, type Right } from './right.ts';
import { tellAll, tellWithout, type Story, type Told } from './story.ts';

const day = Math.floor(Date.now() / 86_400_000);

/** All of them, or the one whose turn it is. */
function chosen(rights: readonly Right[]): readonly Right[] {
  if (process.env['SSVIRT_TEST_ALL'] === '1') return rights;
  return rights.filter((_, i) => i === day % rights.length);
}

export function rightsCases(name: string, stories: readonly Story[]): void {
  describe(`the rights of the ${name}`, () => {
    const told = new Map<Story, Told>();
    before(async () => {
      for (const story of stories) told.set(story, await tellAll(story));
    });
    after(() => told.clear());
    const granted = rightsIn([...manifests(`${name}.yaml`), ...stories.flatMap(({ elsewhere = [] }) => elsewhere)]);
    const whereNeeded = (right: Right): Story | undefined =>
      stories.find((story) => told.get(story)?.needed.has(titleOf(right)));

    test('are enough: nothing that it asks for in its life is refused', () => {
      assert.deepEqual(
        [...told.values()].flatMap(({ refused }) => refused.map(({ text }) => text)),
        [],
      );
    });

    test('are all needed: none is granted that nothing asks for', () => {
      const idle = granted.filter((right) => whereNeeded(right) === undefined).map(titleOf);
      assert.deepEqual(idle, [], 'these are granted and never needed: remove them, or tell in a story what needs them');
    });

    for (const right of chosen(granted))
      test(`without the right to ${titleOf(right)}, something is refused`, async () => {
        const story = whereNeeded(right);
        assert.ok(story !== undefined, 'it is needed nowhere');
        const refused = await tellWithout(story, right);
        const { group, resource, verb } = right;
        assert.ok(
          refused.some(({ asked }) => asked?.verb === verb && asked.resource === resource && asked.group === group),
          `nobody missed it: ${refused.map(({ text }) => text).join('; ') || 'nothing was refused'}`,
        );
      });
  });
}
