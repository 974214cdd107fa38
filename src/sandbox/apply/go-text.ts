/** Values in the texts that Go's json and fmt packages give them, since they show in FieldsV1 keys and in error messages. */
import type { Json } from '../json.ts';
import { isObject } from '../json.ts';

const HTML = /[<>&\u2028\u2029]/g;

/** json.Marshal: as JSON.stringify, with the characters that matter in HTML escaped. */
export function goJson(value: Json): string {
  const text = JSON.stringify(value);
  return typeof value === 'number' || typeof value === 'boolean' ? text : text.replace(HTML, escape);
}

const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** json.Marshal of a map: the same with sorted keys. */
export function goSortedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(goSortedJson).join(',')}]`;
  if (!isObject(value)) return goJson(value);
  const keys = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${keys
    .sort()
    .map((name) => `${goJson(name)}:${goSortedJson(value[name] ?? null)}`)
    .join(',')}}`;
}

/** %v of a float64, which every number of a decoded body is. */
export function goFloat(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** %v of a decoded value. */
export function goValue(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return goFloat(value);
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  if (!isObject(value)) return String(value);
  const keys = Object.keys(value).sort();
  return `map[${keys.map((name) => `${name}:${goValue(value[name] ?? null)}`).join(' ')}]`;
}

/** %#v of a decoded value. */
export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'number') return goFloat(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `map[string]interface {}{${keys.map((name) => `${JSON.stringify(name)}:${goSyntax(value[name] ?? null)}`).join(', ')}}`;
}

/** %T of a decoded value. */
export function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return { string: 'string', number: 'float64', boolean: 'bool' }[typeof value as 'string' | 'number' | 'boolean'];
}
