import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KubeObject } from '../object.ts';
import { Store } from './store.ts';

type Thing = KubeObject & { readonly colors: readonly string[] };

const thing = (name: string, colors: readonly string[], namespace = 'default'): Thing => ({
  metadata: { name, namespace },
  colors,
});
const byColor = ({ colors }: Thing): readonly string[] => colors;
const names = (things: readonly Thing[]): readonly string[] => things.map(({ metadata }) => metadata.name ?? '').sort();

test('I4: an index follows its objects, and may be added while there are some', () => {
  const store = new Store<Thing>();
  store.set(thing('a', ['red', 'blue']));
  store.addIndex('color', byColor);
  store.set(thing('b', ['red', 'red']));
  assert.deepEqual(names(store.byIndex('color', 'red')), ['a', 'b']);
  store.set(thing('a', ['green']));
  assert.deepEqual(names(store.byIndex('color', 'red')), ['b']);
  assert.deepEqual(names(store.byIndex('color', 'green')), ['a']);
  store.delete('default/b');
  assert.deepEqual(store.byIndex('color', 'red'), []);
});

test('I4: the namespace is an index of its own', () => {
  const store = new Store<Thing>();
  store.set(thing('a', [], 'east'));
  store.set(thing('b', [], 'west'));
  assert.deepEqual(names(store.list('east')), ['a']);
  assert.deepEqual(names(store.list()), ['a', 'b']);
  assert.deepEqual(names(store.byIndex('namespace', 'west')), ['b']);
});

test('I4: an index added twice is the same one, and one that was never added is an error', () => {
  const store = new Store<Thing>();
  store.addIndex('color', byColor);
  store.addIndex('color', () => ['nothing']);
  store.set(thing('a', ['red']));
  assert.deepEqual(names(store.byIndex('color', 'red')), ['a']);
  assert.throws(() => store.byIndex('size', '1'), /no index "size" was added/);
});

test('I4: an index that fails on an object is reported, and the object is stored', () => {
  const failed: string[] = [];
  const store = new Store<Thing>((index) => failed.push(index));
  store.addIndex('broken', ({ colors }) => {
    if (colors.length === 0) throw new Error('no color');
    return colors;
  });
  store.set(thing('a', []));
  store.set(thing('b', ['red']));
  assert.equal(store.size, 2);
  assert.deepEqual(names(store.byIndex('broken', 'red')), ['b']);
  assert.deepEqual(failed, ['broken']);
});

test('I4: whatever happens, an index is what a look at all objects would give, and keeps nothing else', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const color = fc.constantFrom('red', 'green', 'blue');
  const step = fc.oneof(
    fc.record({ put: name, colors: fc.array(color, { maxLength: 3 }) }),
    fc.record({ remove: name }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const store = new Store<Thing>();
      store.addIndex('color', byColor);
      const model = new Map<string, Thing>();
      for (const one of steps) {
        if ('put' in one) {
          store.set(thing(one.put, one.colors));
          model.set(one.put, thing(one.put, one.colors));
        } else {
          store.delete(`default/${one.remove}`);
          model.delete(one.remove);
        }
        for (const value of ['red', 'green', 'blue'])
          assert.deepEqual(
            names(store.byIndex('color', value)),
            names([...model.values()].filter(({ colors }) => colors.includes(value))),
          );
      }
      const values = new Set([...model.values()].flatMap(({ colors }) => colors)).size;
      assert.equal(store.indexedValues, values + (model.size > 0 ? 1 : 0));
    }),
  );
});
