/** Evaluates Kubernetes' JSONPath with missing keys allowed, for printer columns and selectable fields. */
import type { Json } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import type { JsonPath, Node } from './jsonpath-parser.ts';
import { JsonPathError } from './jsonpath-parser.ts';

export { type JsonPath, JsonPathError, parseJsonPath } from './jsonpath-parser.ts';

/** All values at the path. Throws a JsonPathError when the server's evaluation fails. */
export function findJsonPath(path: JsonPath, data: Json): Json[] {
  return evaluate(path, [data]);
}

const evaluate = (path: JsonPath, input: Json[]): Json[] => path.reduce((values, node) => step(node, values), input);

function step(node: Node, input: Json[]): Json[] {
  switch (node.type) {
    case 'field':
      return input.flatMap((value) => fieldOf(value, node.name));
    case 'array':
      return input.filter((value) => value !== null).flatMap((value) => sliceOf(value, node));
    case 'filter':
      return input.flatMap((value) => filterItems(value, node));
    case 'union':
      return node.parts.flatMap((part) => evaluate(part, input));
    case 'literal':
      return typeof node.value === 'string' ? [node.value] : input.map(() => node.value);
    case 'wildcard':
      return input.flatMap(children);
    case 'recursive':
      return input.flatMap(descendants);
    case 'identifier':
      throw new JsonPathError(`unrecognized identifier ${node.name}`);
  }
}

function fieldOf(value: Json, name: string): Json[] {
  if (!isObject(value) || !Object.hasOwn(value, name)) return [];
  const found = value[name];
  return found === undefined ? [] : [found];
}

function children(value: Json): Json[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value).filter((child) => child !== undefined) : [];
}

/** The value and everything below it, without empty values; a nonempty string counts as a value. */
function descendants(value: Json): Json[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  const below = children(value);
  return below.length === 0 ? [] : [value, ...below.flatMap(descendants)];
}

function sliceOf(value: Json, node: Extract<Node, { type: 'array' }>): Json[] {
  if (!Array.isArray(value)) throw new JsonPathError('value is not array or slice');
  const size = value.length;
  const from = fromEnd(node.start ?? 0, size);
  const to = node.single ? endOfSingle(node.start ?? 0, size) : fromEnd(node.end ?? size, size);
  if (from === to) return [];
  if (from >= size || from < 0) throw new JsonPathError(`array index out of bounds: index ${from}, length ${size}`);
  if (to > size || to < 0) throw new JsonPathError(`array index out of bounds: index ${to - 1}, length ${size}`);
  if (from > to) throw new JsonPathError(`starting index ${from} is greater than ending index ${to}`);
  const every = node.step ?? 1;
  if (every <= 0) throw new JsonPathError('step must be > 0');
  return value.slice(from, to).filter((_, i) => i % every === 0);
}

const fromEnd = (index: number, size: number): number => (index < 0 ? index + size : index);

/** `[-1]` ends at the end of the list: the end index 0 is counted from there. */
const endOfSingle = (start: number, size: number): number => (start + 1 <= 0 ? start + 1 + size : start + 1);

function filterItems(value: Json, node: Extract<Node, { type: 'filter' }>): Json[] {
  if (!Array.isArray(value)) throw new JsonPathError('value is not array or slice and cannot be filtered');
  return value.filter((item) => (node.operator === 'exists' ? exists(item, node.left) : matches(item, node)));
}

/** A path whose evaluation fails counts as existing. */
function exists(item: Json, path: JsonPath): boolean {
  try {
    return evaluate(path, [item]).length > 0;
  } catch (error) {
    if (error instanceof JsonPathError) return true;
    throw error;
  }
}

function matches(item: Json, node: Extract<Node, { type: 'filter' }>): boolean {
  const left = onlyOne(evaluate(node.left, [item]));
  if (left === undefined) return false;
  const right = onlyOne(evaluate(node.right, [item]));
  return right !== undefined && compare(left, node.operator, right);
}

function onlyOne(values: Json[]): Json | undefined {
  if (values.length > 1) throw new JsonPathError('can only compare one element at a time');
  return values[0];
}

const comparable = new Set(['string', 'number', 'boolean']);

function compare(left: Json, operator: string, right: Json): boolean {
  if (!comparable.has(typeof left) || !comparable.has(typeof right)) {
    throw new JsonPathError('invalid type for comparison');
  }
  if (kindOf(left) !== kindOf(right)) throw new JsonPathError('incompatible types for comparison');
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (typeof left === 'boolean') throw new JsonPathError('invalid type for comparison');
  if (operator === '<') return (left ?? 0) < (right ?? 0);
  if (operator === '<=') return (left ?? 0) <= (right ?? 0);
  if (operator === '>') return (left ?? 0) > (right ?? 0);
  if (operator === '>=') return (left ?? 0) >= (right ?? 0);
  throw new JsonPathError(`unrecognized filter operator ${operator}`);
}

/** Go does not compare an integer with a float. */
const kindOf = (value: Json): string =>
  typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'float') : typeof value;
