/**
 * Parses JSON with duplicate fields as Go decodes it to a struct or a map: a second object is merged into the first
 * one, any other value replaces it. The text is known to be valid JSON; texts without duplicate fields are not parsed
 * here.
 */
import { isObject, type Json, type JsonObject } from '../../values/json.ts';

const SCALAR = /"(?:[^"\\]|\\.)*"|[^\s,\]}]+/y;

export function parseMerging(text: string): Json {
  let at = 0;
  const skip = (): void => {
    while (' \t\r\n'.includes(text[at] ?? 'x')) at++;
  };
  const take = (character: string): boolean => {
    skip();
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const scalar = (): Json => {
    skip();
    SCALAR.lastIndex = at;
    const [found = 'null'] = SCALAR.exec(text) ?? [];
    at += found.length;
    return JSON.parse(found) as Json;
  };
  const value = (before: Json | undefined): Json => {
    if (take('{')) return fields(isObject(before) ? before : {});
    return take('[') ? items() : scalar();
  };
  const fields = (into: JsonObject): JsonObject => {
    if (take('}')) return into;
    do {
      const key = String(scalar());
      take(':');
      const item = value(Object.hasOwn(into, key) ? into[key] : undefined);
      Object.defineProperty(into, key, { value: item, enumerable: true, writable: true, configurable: true });
    } while (take(','));
    take('}');
    return into;
  };
  const items = (): Json[] => {
    const list: Json[] = [];
    if (take(']')) return list;
    do list.push(value(undefined));
    while (take(','));
    take(']');
    return list;
  };
  return value(undefined);
}
