/** List functions: those of Kubernetes (sum, min, max, …), those of cel-go (sort, slice, …), and the set functions. */
import { type Overload, fail, global, member } from './functions.ts';
import {
  Duration,
  EvalError,
  type ListValue,
  NO_SUCH_OVERLOAD,
  Optional,
  PlainList,
  Uint,
  type Value,
  compare,
  equal,
  typeName,
} from '../values.ts';

const COMPARABLE = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes'] as const;

function isSorted(list: ListValue): Value {
  for (let i = 1; i < list.size; i++) {
    const order = compare(list.get(i - 1), list.get(i));
    if (order instanceof EvalError) return order;
    if (order > 0) return false;
  }
  return true;
}

function extreme(name: 'min' | 'max', list: ListValue): Value {
  if (list.size === 0) return fail(`${name} called on empty list`);
  let best = list.get(0);
  for (let i = 1; i < list.size; i++) {
    const order = compare(best, list.get(i));
    if (order instanceof EvalError) return order;
    if (name === 'min' ? order > 0 : order < 0) best = list.get(i);
  }
  return best;
}

const INT_LIMIT = 2n ** 63n;
const UINT_LIMIT = 2n ** 64n;

/** `take` extracts the number from an item of the right type; `make` creates the sum in the matching type. */
function sum(list: ListValue, take: (item: Value) => bigint | undefined, make: (sum: bigint) => Value): Value {
  let total = 0n;
  for (const item of list.items()) {
    const number = take(item);
    if (number === undefined) return item instanceof EvalError ? item : NO_SUCH_OVERLOAD;
    total += number;
    const made = make(total);
    if (made instanceof EvalError) return made;
  }
  return make(total);
}

const sumInts = (list: ListValue): Value =>
  sum(
    list,
    (item) => (typeof item === 'bigint' ? item : undefined),
    (total) => (total >= INT_LIMIT || total < -INT_LIMIT ? fail('integer overflow') : total),
  );

const sumUints = (list: ListValue): Value =>
  sum(
    list,
    (item) => (item instanceof Uint ? item.value : undefined),
    (total) => (total >= UINT_LIMIT ? fail('unsigned integer overflow') : new Uint(total)),
  );

const sumDurations = (list: ListValue): Value =>
  sum(
    list,
    (item) => (item instanceof Duration ? item.nanos : undefined),
    (total) => new Duration(total),
  );

function sumDoubles(list: ListValue): Value {
  let total = 0;
  for (const item of list.items()) {
    if (typeof item !== 'number') return item instanceof EvalError ? item : NO_SUCH_OVERLOAD;
    total += item;
  }
  return total;
}

function indexOf(list: ListValue, item: Value): Value {
  return BigInt(list.items().findIndex((element) => equal(element, item) === true));
}

function lastIndexOf(list: ListValue, item: Value): Value {
  return BigInt(list.items().findLastIndex((element) => equal(element, item) === true));
}

function slice(list: ListValue, start: bigint, end: bigint): Value {
  if (start < 0n || end < 0n) return fail(`cannot slice(${start}, ${end}), negative indexes not supported`);
  if (start > end) return fail(`cannot slice(${start}, ${end}), start index must be less than or equal to end index`);
  if (BigInt(list.size) < end) return fail(`cannot slice(${start}, ${end}), list is length ${list.size}`);
  return new PlainList(list.items().slice(Number(start), Number(end)));
}

function flatten(list: ListValue, depth: bigint): Value {
  if (depth < 0n) return fail('level must be non-negative');
  return new PlainList(flat(list.items(), depth));
}

const flat = (items: readonly Value[], depth: bigint): Value[] =>
  items.flatMap((item) => (isList(item) ? (depth > 0n ? flat(item.items(), depth - 1n) : [item]) : [item]));

const isList = (value: Value): value is ListValue => typeName(value) === 'list';

/** Sorts the list stably by the keys at the same positions. */
function sortBy(list: ListValue, keys: ListValue): Value {
  if (list.size !== keys.size)
    return fail('@sortByAssociatedKeys() expected a list of the same size as the associated keys list');
  const by = keys.items();
  const mixed = by.find((key) => typeName(key) !== typeName(by[0] ?? null));
  if (mixed !== undefined) return fail('list elements must have the same type');
  const places = by.map((_, i) => i);
  places.sort((a, b) => {
    const order = compare(by[a] ?? null, by[b] ?? null);
    return order instanceof EvalError ? 0 : order;
  });
  return new PlainList(places.map((i) => list.get(i)));
}

function distinct(list: ListValue): Value {
  const kept: Value[] = [];
  for (const item of list.items()) {
    if (!kept.some((other) => equal(other, item) === true)) kept.push(item);
  }
  return new PlainList(kept);
}

function range(count: bigint): Value {
  return new PlainList(Array.from({ length: Math.max(0, Number(count)) }, (_, i) => BigInt(i)));
}

function unwrap(list: ListValue): Value {
  const values = list
    .items()
    .flatMap((item) => (item instanceof Optional && item.value !== undefined ? [item.value] : []));
  return new PlainList(values);
}

const contains = (list: ListValue, item: Value): boolean =>
  list.items().some((element) => equal(element, item) === true);
const containsAll = (list: ListValue, part: ListValue): boolean => part.items().every((item) => contains(list, item));

const SETS: readonly Overload[] = [
  global('sets.contains', ['list<T>', 'list<T>'], 'bool', containsAll),
  global('sets.equivalent', ['list<T>', 'list<T>'], 'bool', (a, b) => containsAll(a, b) && containsAll(b, a)),
  global('sets.intersects', ['list<T>', 'list<T>'], 'bool', (a, b) => a.items().some((item) => contains(b, item))),
];

export const LISTS: readonly Overload[] = [
  ...COMPARABLE.map((type) => member('isSorted', [`list<${type}>`], 'bool', isSorted)),
  ...COMPARABLE.map((type) => member('max', [`list<${type}>`], type, (list) => extreme('max', list))),
  ...COMPARABLE.map((type) => member('min', [`list<${type}>`], type, (list) => extreme('min', list))),
  member('sum', ['list<int>'], 'int', sumInts),
  member('sum', ['list<uint>'], 'uint', sumUints),
  member('sum', ['list<double>'], 'double', sumDoubles),
  member('sum', ['list<duration>'], 'duration', sumDurations),
  member('indexOf', ['list<A>', 'A'], 'int', indexOf),
  member('lastIndexOf', ['list<A>', 'A'], 'int', lastIndexOf),
  member('slice', ['list<T>', 'int', 'int'], 'list<T>', slice),
  { ...member('flatten', ['list<list<T>>'], 'list<T>', (list) => flatten(list, 1n)), unguarded: true },
  member('flatten', ['list<dyn>', 'int'], 'list<dyn>', flatten),
  ...COMPARABLE.map((type) => member('sort', [`list<${type}>`], `list<${type}>`, (list) => sortBy(list, list))),
  ...COMPARABLE.map((type) => member('@sortByAssociatedKeys', ['list<T>', `list<${type}>`], 'list<T>', sortBy)),
  global('lists.range', ['int'], 'list<int>', range),
  member('reverse', ['list<T>'], 'list<T>', (list) => new PlainList(list.items().toReversed())),
  member('distinct', ['list<T>'], 'list<T>', distinct),
  member('first', ['list<V>'], 'optional_type<V>', (list) =>
    list.size === 0 ? Optional.NONE : new Optional(list.get(0)),
  ),
  member('last', ['list<V>'], 'optional_type<V>', (list) =>
    list.size === 0 ? Optional.NONE : new Optional(list.get(list.size - 1)),
  ),
  global('optional.unwrap', ['list<optional_type<V>>'], 'list<V>', unwrap),
  member('unwrapOpt', ['list<optional_type<V>>'], 'list<V>', unwrap),
  ...SETS,
];
