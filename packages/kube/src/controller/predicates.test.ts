import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { Projected } from '../informer/informer.ts';
import { priorityOf, type Change } from './change.ts';
import type { LabelSelector } from '../label-selector.ts';
import {
  and,
  annotationChanged,
  generationChanged,
  labelChanged,
  labelSelector,
  not,
  or,
  resourceVersionChanged,
  type Predicate,
} from './predicates.ts';

type Meta = Partial<Projected['metadata']>;

function object(meta: Meta = {}): Projected {
  return { metadata: { name: 'x', uid: 'u1', resourceVersion: '1', generation: 1, ...meta } };
}

function update(before: Meta, after: Meta): Change<Projected> {
  return { type: 'updated', before: object(before), object: object(after), resync: false };
}

const created: Change<Projected> = { type: 'created', object: object(), initial: false };
const deleted: Change<Projected> = { type: 'deleted', object: object(), finalStateUnknown: false };
const cached = object();
const resync: Change<Projected> = { type: 'updated', before: cached, object: cached, resync: true };
const recreated = update({}, { uid: 'u2' });

const rows: readonly {
  readonly name: string;
  readonly predicate: Predicate<Projected>;
  readonly passes: readonly Change<Projected>[];
  readonly stops: readonly Change<Projected>[];
}[] = [
  {
    name: 'resourceVersionChanged drops resyncs',
    predicate: resourceVersionChanged,
    passes: [update({}, { resourceVersion: '2' }), recreated],
    stops: [resync],
  },
  {
    name: 'generationChanged drops resyncs and changes of status and metadata, and passes where there is no generation',
    predicate: generationChanged,
    passes: [
      update({}, { generation: 2 }),
      recreated,
      { type: 'updated', before: withoutGeneration('1'), object: withoutGeneration('2'), resync: false },
    ],
    stops: [resync, update({}, { resourceVersion: '2', labels: { a: 'b' } })],
  },
  {
    name: 'annotationChanged looks at annotations alone',
    predicate: annotationChanged,
    passes: [
      update({}, { annotations: { a: '1' } }),
      update({ annotations: { a: '1' } }, { annotations: { a: '2' } }),
      update({ annotations: { a: '1' } }, { annotations: { b: '1' } }),
      update({ annotations: { a: '1' } }, {}),
      recreated,
    ],
    stops: [
      resync,
      update({}, { generation: 2 }),
      update({}, { annotations: {} }),
      update({ annotations: { a: '1', b: '2' } }, { annotations: { b: '2', a: '1' } }),
    ],
  },
  {
    name: 'labelChanged looks at labels alone',
    predicate: labelChanged,
    passes: [update({}, { labels: { a: '1' } }), update({ labels: { a: '1' } }, {}), recreated],
    stops: [resync, update({}, { annotations: { a: '1' } }), update({ labels: { a: '1' } }, { labels: { a: '1' } })],
  },
];

function withoutGeneration(resourceVersion: string): Projected {
  return { metadata: { name: 'x', uid: 'u1', resourceVersion } };
}

suite('predicates', () => {
  for (const { name, predicate, passes, stops } of rows)
    test(`P1: ${name}`, () => {
      for (const change of [created, deleted, ...passes]) assert.equal(predicate(change), true, JSON.stringify(change));
      for (const change of stops) assert.equal(predicate(change), false, JSON.stringify(change));
    });

  const blue: LabelSelector = { matchLabels: { color: 'blue' } };
  for (const [selector, labels, selects] of [
    [{}, undefined, true],
    [blue, { color: 'blue', size: '1' }, true],
    [blue, { color: 'red' }, false],
    [blue, undefined, false],
    [{ matchLabels: { constructor: 'x' } }, {}, false],
    [{ matchExpressions: [{ key: 'constructor', operator: 'Exists' }] }, {}, false],
    [{ matchExpressions: [{ key: 'color', operator: 'In', values: ['red', 'blue'] }] }, { color: 'blue' }, true],
    [{ matchExpressions: [{ key: 'color', operator: 'In', values: ['red'] }] }, {}, false],
    [{ matchExpressions: [{ key: 'color', operator: 'NotIn', values: ['red'] }] }, { color: 'red' }, false],
    [{ matchExpressions: [{ key: 'color', operator: 'NotIn', values: ['red'] }] }, {}, true],
    [{ matchExpressions: [{ key: 'color', operator: 'Exists' }] }, { color: '' }, true],
    [{ matchExpressions: [{ key: 'color', operator: 'DoesNotExist' }] }, { color: '' }, false],
    [{ ...blue, matchExpressions: [{ key: 'size', operator: 'Exists' }] }, { color: 'blue' }, false],
  ] as const satisfies readonly (readonly [LabelSelector, Meta['labels'], boolean])[])
    test(`P1: labelSelector ${JSON.stringify(selector)} ${selects ? 'selects' : 'leaves'} ${JSON.stringify(labels)}`, () => {
      const one = object(labels === undefined ? {} : { labels });
      for (const type of ['created', 'deleted'] as const)
        assert.equal(labelSelector(selector)({ type, object: one, initial: false, finalStateUnknown: false }), selects);
    });

  test('P1: labelSelector passes what comes into the selection, is in it, and leaves it', () => {
    const inside = { labels: { color: 'blue' } };
    assert.equal(labelSelector(blue)(update(inside, inside)), true);
    assert.equal(labelSelector(blue)(update({}, inside)), true);
    assert.equal(labelSelector(blue)(update(inside, {})), true);
    assert.equal(labelSelector(blue)(update({}, {})), false);
  });

  test('P1: a selector that means nothing is refused where it is written', () => {
    const wrong: readonly LabelSelector[] = [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      { matchExpressions: [{ key: 'a', operator: 'Near' as 'In', values: ['b'] }] },
    ];
    for (const selector of wrong) assert.throws(() => labelSelector(selector), /cannot select labels.*"a"/);
  });

  test('P1: and, or and not combine', () => {
    const labelled = update({}, { labels: { a: 'b' } });
    const both = update({}, { labels: { a: 'b' }, generation: 2 });
    const either = or(labelChanged, generationChanged);
    const all = and(labelChanged, generationChanged);
    assert.deepEqual([either(labelled), either(both), either(resync)], [true, true, false]);
    assert.deepEqual([all(labelled), all(both), all(resync)], [false, true, false]);
    assert.deepEqual([not(either)(labelled), not(all)(labelled)], [false, true]);
    assert.deepEqual([and()(resync), or()(resync)], [true, false]);
  });
});

test('Q5: first lists, resyncs and updates that change no version come after live changes', () => {
  assert.equal(priorityOf(created), 0);
  assert.equal(priorityOf({ ...created, initial: true }), -100);
  assert.equal(priorityOf(deleted), 0);
  assert.equal(priorityOf(resync), -100);
  assert.equal(priorityOf(update({}, { resourceVersion: '2' })), 0);
  assert.equal(priorityOf(update({}, {})), -100);
});
