/**
 * Every single right of a process is needed: an account without rights plays its life on kube-apiservers, and a right
 * is granted when its absence made one of these refuse a request. Every right granted in this way is needed; the others
 * are unused. One right of the vm-controller is removed from its files: then the refusal stays; SSVIRT_TEST_ALL=1
 * removes one of each process.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { triesAll } from '../chosen.ts';
import { manifests } from '../vm-status/manifests.ts';
import { rightsIn, titleOf, type Right } from './right.ts';
import { tellAll, tellWithout, type Story, type Told } from './story.ts';

function takenAway(name: string, granted: readonly Right[]): readonly Right[] {
  return triesAll || name === 'vm-controller' ? granted.slice(0, 1) : [];
}

export function rightsCases(name: string, stories: readonly Story[]): void {
  describe(`the rights of the ${name}`, () => {
    const told = new Map<Story, Told>();
    const granted = rightsIn([...manifests(`${name}.yaml`), ...stories.flatMap(({ elsewhere = [] }) => elsewhere)]);
    const whereMissed = (right: Right): Story | undefined =>
      stories.find((story) => told.get(story)?.missed.has(titleOf(right)));

    test('are enough: nothing that it asks for in its life is refused', async () => {
      for (const story of stories) told.set(story, await tellAll(story));
      assert.deepEqual(
        [...told.values()].flatMap(({ refused }) => refused.map(({ text }) => text)),
        [],
      );
    });

    test('are read here as the server reads them: it allows nothing that was not granted', () => {
      assert.deepEqual(
        [...told.values()].flatMap(({ surprises }) => surprises),
        [],
      );
    });

    test('are all needed: without each of them something was refused', () => {
      const idle = granted.filter((right) => whereMissed(right) === undefined).map(titleOf);
      assert.deepEqual(idle, [], 'these rights were not needed: remove them, or add what needs them to a story');
    });

    for (const taken of takenAway(name, granted))
      test(`with the right to ${titleOf(taken)} in no file, what asks for it is refused for good`, async () => {
        const story = whereMissed(taken);
        assert.ok(story !== undefined, 'it is needed nowhere');
        const refused = await tellWithout(story, taken);
        const { group, resource, verb } = taken;
        assert.ok(
          refused.some(({ asked }) => asked?.verb === verb && asked.resource === resource && asked.group === group),
          `it was not missed: ${refused.map(({ text }) => text).join('; ') || 'nothing was refused'}`,
        );
      });
  });
}
