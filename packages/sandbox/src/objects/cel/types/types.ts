/** `Kind` holds the CEL types of the checker. Every object schema is a separate struct type, identified by name. */

export type Kind =
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'list'
  | 'map'
  | 'type'
  | 'struct'
  | 'opaque'
  | 'param';

export interface Type {
  readonly kind: Kind;
  readonly name: string;
  readonly params: readonly Type[];
  /** For struct types of a schema: the fields that an expression may select, by their escaped names. */
  readonly fields?: ReadonlyMap<string, Type>;
}

const simple = (kind: Kind, name: string = kind): Type => ({ kind, name, params: [] });

export const NULL = simple('null');
export const BOOL = simple('bool');
export const INT = simple('int');
export const UINT = simple('uint');
export const DOUBLE = simple('double');
export const STRING = simple('string');
export const BYTES = simple('bytes');
export const TIMESTAMP = simple('timestamp');
export const DURATION = simple('duration');
export const DYN = simple('dyn');
export const ERROR = simple('error', '!error!');

export const listOf = (element: Type): Type => ({ kind: 'list', name: 'list', params: [element] });
export const mapOf = (key: Type, value: Type): Type => ({ kind: 'map', name: 'map', params: [key, value] });
export const typeOfType = (type: Type): Type => ({ kind: 'type', name: 'type', params: [type] });
export const optionalOf = (type: Type): Type => ({ kind: 'opaque', name: 'optional_type', params: [type] });
export const param = (name: string): Type => simple('param', name);
export const struct = (name: string, fields: ReadonlyMap<string, Type>): Type => ({
  kind: 'struct',
  name,
  params: [],
  fields,
});

const NAMED = new Map(
  [NULL, BOOL, INT, UINT, DOUBLE, STRING, BYTES, TIMESTAMP, DURATION, DYN].map((type) => [type.name, type]),
);

/** Types of the Kubernetes libraries: structs without fields, one object per name. */
const LIBRARY = new Map<string, Type>();

/** `readType` parses the notation of the library tables, such as `list<string>` or `optional_type<V>`. */
export function readType(text: string): Type {
  const named = NAMED.get(text);
  if (named !== undefined) return named;
  if (/^[A-Z]$/.test(text)) return param(text);
  const generic = /^(\w+)<(.*)>$/.exec(text);
  if (generic === null) return libraryType(text);
  const [, name = '', inner = ''] = generic;
  const params = splitParams(inner).map(readType);
  if (name === 'type') return { kind: 'type', name, params };
  if (name === 'list' || name === 'map') return { kind: name, name, params };
  return { kind: 'opaque', name, params };
}

function libraryType(name: string): Type {
  const known = LIBRARY.get(name);
  if (known !== undefined) return known;
  const type = simple('struct', name);
  LIBRARY.set(name, type);
  return type;
}

function splitParams(text: string): string[] {
  let depth = 0;
  let start = 0;
  const parts: string[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '<') depth++;
    else if (text[i] === '>') depth--;
    else if (text[i] === ',' && depth === 0) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}

/** `formatType` returns the type as it appears in error texts: `list(string)`, `map(string, int)`. */
export function formatType(type: Type): string {
  if (type.params.length === 0) return type.name;
  return `${type.name}(${type.params.map(formatType).join(', ')})`;
}

export function sameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((parameter, i) => {
    const other = b.params[i];
    return other !== undefined && sameType(parameter, other);
  });
}

export function unwrapOptional(type: Type): { readonly type: Type; readonly optional: boolean } {
  const inner = type.params[0];
  if (type.kind !== 'opaque' || type.name !== 'optional_type' || inner === undefined) return { type, optional: false };
  return { type: inner, optional: true };
}

/** `literalType` returns the type of a literal. */
export function literalType(value: unknown): Type {
  switch (typeof value) {
    case 'boolean':
      return BOOL;
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'string':
      return STRING;
    default:
      if (value === null) return NULL;
      return value instanceof Uint8Array ? BYTES : UINT;
  }
}
