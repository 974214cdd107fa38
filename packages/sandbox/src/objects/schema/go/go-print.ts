/** Untyped JSON as Go's fmt prints it: decoded JSON consists of maps, slices, int64 and float64. */
import { isObject } from '../../../values/json.ts';
import type { Json, JsonObject } from '../../../values/json.ts';
import { byCodeUnits, goNumber, goQuote, isInt64 } from './go-text.ts';

function entriesOf(value: JsonObject, print: (name: string, value: Json) => string, separator: string): string {
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return names
    .toSorted(byCodeUnits)
    .map((name) => print(name, value[name] ?? null))
    .join(separator);
}

/** %v */
export function goPrinted(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map(goPrinted).join(' ')}]`;
  if (!isObject(value)) return String(value);
  return `map[${entriesOf(value, (name, each) => `${name}:${goPrinted(each)}`, ' ')}]`;
}

/** %#v */
export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return String(value);
  return `map[string]interface {}{${entriesOf(value, (name, each) => `${goQuote(name)}:${goSyntax(each)}`, ', ')}}`;
}

/** %T */
export function goType(value: Json | undefined): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'number') return isInt64(value) ? 'int64' : 'float64';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'string' ? 'string' : 'bool';
}
