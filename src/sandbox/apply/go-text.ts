/** Values of a decoded body in the texts that Go's fmt gives them, since they show in paths and in error messages. */
import type { Json } from '../json.ts';
import { isObject } from '../json.ts';
import { byCodeUnits, goQuote } from '../schema/go-text.ts';

/** %v of a float64. Numbers are that where they were read from FieldsV1. */
export function goFloat(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

/** Whole numbers of a body are integers there. */
const goNumber = (value: number): string => (Number.isSafeInteger(value) ? String(value) : goFloat(value));

const sortedNames = (value: object): string[] => Object.keys(value).toSorted(byCodeUnits);

/** %v */
export function goPrinted(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return goNumber(value);
  if (Array.isArray(value)) return `[${value.map(goPrinted).join(' ')}]`;
  if (!isObject(value)) return String(value);
  return `map[${sortedNames(value)
    .map((name) => `${name}:${goPrinted(value[name] ?? null)}`)
    .join(' ')}]`;
}

/** %#v */
export function goSyntax(value: Json): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'number') return goNumber(value);
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return String(value);
  return `map[string]interface {}{${sortedNames(value)
    .map((name) => `${goQuote(name)}:${goSyntax(value[name] ?? null)}`)
    .join(', ')}}`;
}

/** %T */
export function goType(value: Json): string {
  if (value === null) return '<nil>';
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'int64' : 'float64';
  if (Array.isArray(value)) return '[]interface {}';
  if (isObject(value)) return 'map[string]interface {}';
  return typeof value === 'string' ? 'string' : 'bool';
}
