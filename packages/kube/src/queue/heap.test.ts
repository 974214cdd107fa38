import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Heap } from './heap.ts';

interface Member {
  value: number;
  slot: number;
}

const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('push' as const), value: fc.integer({ min: 0, max: 50 }) }),
    fc.record({ do: fc.constant('pop' as const) }),
    fc.record({ do: fc.constant('remove' as const), which: fc.nat() }),
    fc.record({ do: fc.constant('change' as const), which: fc.nat(), value: fc.integer({ min: 0, max: 50 }) }),
  ),
  { maxLength: 200, size: 'max' },
);

test('a heap gives out the least, whatever was pushed, removed and changed before', () => {
  fc.assert(
    fc.property(steps, (script) => {
      const heap = new Heap<Member>((a, b) => a.value < b.value);
      const model: Member[] = [];
      const least = (): number | undefined => model.map(({ value }) => value).sort((a, b) => a - b)[0];
      for (const step of script) {
        const picked = 'which' in step ? model[step.which % Math.max(1, model.length)] : undefined;
        if (step.do === 'push') {
          const member = { value: step.value, slot: -1 };
          heap.push(member);
          model.push(member);
        } else if (step.do === 'pop') {
          const expected = least();
          const popped = heap.pop();
          assert.equal(popped?.value, expected);
          if (popped !== undefined) model.splice(model.indexOf(popped), 1);
        } else if (step.do === 'remove' && picked !== undefined) {
          heap.remove(picked);
          assert.equal(picked.slot, -1);
          model.splice(model.indexOf(picked), 1);
        } else if (step.do === 'change' && picked !== undefined) {
          picked.value = step.value;
          heap.moved(picked);
        }
        assert.equal(heap.size, model.length);
        assert.equal(heap.peek()?.value, least());
      }
    }),
    { numRuns: 300 },
  );
});
