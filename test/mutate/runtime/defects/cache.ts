/** D: how a cache changes, and what is told of it. */
import type { RuntimeDefect } from '../defect.ts';

const partition = ['src/kube/cache/partition.test.ts'];
const informers = ['src/kube/cache/informers.test.ts'];

export const cacheDefects: readonly RuntimeDefect[] = [
  {
    id: 'D1',
    name: 'what a list does not have stays',
    file: 'kube/cache/partition.ts',
    find: 'if (!kept.has(key)) this.#remove(key, gone, true);',
    replace: '',
    tests: partition,
  },
  {
    id: 'D1',
    name: 'a deletion that nobody saw looks like one that was seen',
    file: 'kube/cache/partition.ts',
    find: 'if (!kept.has(key)) this.#remove(key, gone, true);',
    replace: 'if (!kept.has(key)) this.#remove(key, gone, false);',
    tests: partition,
  },
  {
    id: 'D2',
    name: 'handlers are told out of order',
    file: 'kube/cache/partition.ts',
    find: "this.#tell({ type: 'updated', before: known, after: object, resync: false });",
    replace: "queueMicrotask(() => this.#tell({ type: 'updated', before: known, after: object, resync: false }));",
    tests: partition,
  },
  {
    id: 'D3',
    name: 'handlers are told before the store has the change',
    file: 'kube/cache/partition.ts',
    find: 'this.#store.set(object, key);\n    if (same',
    replace: 'queueMicrotask(() => this.#store.set(object, key));\n    if (same',
    tests: partition,
  },
  {
    id: 'D3',
    name: 'a state that is known already is told again',
    file: 'kube/cache/partition.ts',
    find: 'if (same && !whatever &&',
    replace: 'if (false &&',
    tests: partition,
  },
  {
    id: 'D4',
    name: 'another uid under the same name is an update',
    file: 'kube/cache/partition.ts',
    find: 'const same = known.metadata.uid === object.metadata.uid;',
    replace: 'const same = true;',
    tests: partition,
  },
  {
    id: 'D5',
    name: 'the objects of a list are stored whole',
    file: 'kube/cache/partition-sink.ts',
    find: 'const projected = ingest(object);',
    replace: 'const projected = object as unknown as P;',
    tests: informers,
  },
  {
    id: 'D5',
    name: 'managedFields get into the cache',
    file: 'kube/cache/projection.ts',
    find: 'if (object.metadata.managedFields === undefined) return object;',
    replace: 'if (object !== undefined) return object;',
    tests: informers,
  },
  {
    id: 'D6',
    name: 'objects of the cache can be changed',
    file: 'kube/cache/ingest.ts',
    find: 'freeze ? deepFreeze(projected) : projected',
    replace: 'projected',
    tests: informers,
  },
  {
    id: 'D5',
    name: 'the deletion of an object that cannot be projected is lost',
    file: 'kube/cache/partition-sink.ts',
    find: "else if (type === 'DELETED') this.#partition.gone(object.metadata);",
    replace: '',
    tests: informers,
  },
];
