/** Evaluates field and index access: `a.b`, `a[b]`, `a.?b` and `has(a.b)`. */
import { EvalError, ListValue, MapValue, Optional, Uint, type Value, display, typeName } from './values.ts';

const noSuchKey = (key: Value): EvalError => new EvalError(`no such key: ${display(key)}`);

/** The entry, which may be null. */
function entryOf(map: MapValue, key: Value): Value {
  const found = map.find(key);
  return found === undefined ? noSuchKey(key) : found;
}

export function fieldOf(operand: Value, field: string): Value {
  if (operand instanceof EvalError) return operand;
  if (operand instanceof MapValue) return entryOf(operand, field);
  if (operand instanceof Optional) return optionalElement(operand, field);
  return noSuchKey(field);
}

export function hasField(operand: Value, field: string): Value {
  if (operand instanceof EvalError) return operand;
  const holder = operand instanceof Optional ? operand.value : operand;
  const found = holder instanceof MapValue ? holder.find(field) : undefined;
  return found instanceof EvalError ? found : found !== undefined;
}

export function elementOf(operand: Value, index: Value): Value {
  if (operand instanceof EvalError) return operand;
  if (index instanceof EvalError) return index;
  if (operand instanceof Optional) return optionalElement(operand, index);
  if (operand instanceof MapValue) return entryOf(operand, index);
  if (!(operand instanceof ListValue)) return noSuchKey(index);
  const place = placeIn(index);
  if (place === undefined) return new EvalError(`unsupported index type '${typeName(index)}' in list`);
  if (place < 0 || place >= operand.size) return new EvalError(`index out of bounds: ${place}`);
  return operand.get(place);
}

/** `optionalElement` returns an optional element: optional.none when the element is missing or the operand is none. */
export function optionalElement(operand: Value, index: Value): Value {
  if (operand instanceof EvalError) return operand;
  if (index instanceof EvalError) return index;
  const holder = operand instanceof Optional ? operand.value : operand;
  if (holder instanceof MapValue) {
    const found = holder.find(index);
    return found instanceof EvalError ? found : found === undefined ? Optional.NONE : new Optional(found);
  }
  const place = placeIn(index);
  if (!(holder instanceof ListValue) || place === undefined || place < 0 || place >= holder.size) return Optional.NONE;
  return new Optional(holder.get(place));
}

function placeIn(index: Value): number | undefined {
  const place = index instanceof Uint ? Number(index.value) : typeof index === 'bigint' ? Number(index) : index;
  return typeof place === 'number' && Number.isInteger(place) ? place : undefined;
}
