/** Reads OpenAPI and Kubernetes schemas, and renders them as table rows. */

export interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly nullable?: boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly 'x-kubernetes-validations'?: readonly Rule[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

export interface Rule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
}

export interface Field {
  /** `spec.disks[].name` */
  readonly path: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** `fieldsOf` returns every field at any depth, in schema order. */
export function fieldsOf(schema: Schema, above = ''): readonly Field[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, inner]): readonly Field[] => {
    const path = above === '' ? name : `${above}.${name}`;
    const required = schema.required?.includes(name) === true;
    return [{ path, schema: inner, required }, ...fieldsOf(inner, path)];
  });
  const parts = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const choices = parts.flatMap((inner) => fieldsOf(inner, above));
  const values = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  const all = [
    ...own,
    ...choices,
    ...(schema.items === undefined ? [] : fieldsOf(schema.items, `${above}[]`)),
    ...(values === undefined ? [] : fieldsOf(values, `${above}.*`)),
  ];
  // Alternative shapes may contain the same field.
  return [...new Map(all.map((field) => [field.path, field])).values()];
}

export function typeOf(schema: Schema): string {
  const { type, items, anyOf, oneOf, $ref, additionalProperties } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1) ?? '';
  const choices = anyOf ?? oneOf;
  if (choices !== undefined && type === undefined) return [...new Set(choices.map(typeOf))].join(' or ');
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or text';
  if (type === 'array') return items === undefined ? 'list' : `list of ${typeOf(items)}`;
  if (type === 'object' && typeof additionalProperties === 'object') return `map of ${typeOf(additionalProperties)}`;
  const names = (typeof type === 'string' ? [type] : (type ?? [])).map((name) => (name === 'string' ? 'text' : name));
  if (names.length > 0) return names.join(' or ');
  const [value] = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return typeof value === 'string' ? 'text' : value === undefined ? 'any' : typeof value;
}

/** `limitsOf` returns limits, examples and defaults in short phrases. */
export function limitsOf(schema: Schema): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format, examples } = schema;
  const words = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  return [
    ...(schema.default === undefined ? [] : [`default ${code(schema.default)}`]),
    ...(words === undefined ? [] : [words.map(code).join(', ')]),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' entries'),
    ...(format === undefined ? [] : [format]),
    ...(pattern === undefined ? [] : patternWords(pattern)),
    ...(examples?.[0] === undefined ? [] : [`such as ${code(examples[0])}`]),
    ...(schema.items === undefined ? [] : limitsOf(schema.items).map((limit) => `each ${limit}`)),
    ...(schema['x-kubernetes-preserve-unknown-fields'] === true ? ['any fields'] : []),
  ];
}

const longestPattern = 80;

/** Patterns with a well-known name. Unreadable patterns are omitted; the document has them. */
function patternWords(pattern: string): readonly string[] {
  if (pattern.startsWith('^(urn:vcloud:')) return ['its URN, or the uuid in it'];
  if (pattern === String.raw`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`) return ['a DNS name'];
  const isReadable = pattern.length <= longestPattern && !pattern.includes(String.raw`\u0`);
  return isReadable ? [`matches ${code(pattern)}`] : [];
}

function range(least: number | undefined, most: number | undefined, unit: string): readonly string[] {
  if (least === undefined && most === undefined) return [];
  if (most === undefined) return [`at least ${least}${unit}`];
  return [least === undefined ? `at most ${most}${unit}` : `${least} to ${most}${unit}`];
}

/** `fieldTable` renders fields with their types, limits and descriptions. */
export function fieldTable(fields: readonly Field[]): string {
  const rows = fields.map(({ path, schema, required }) =>
    row(
      code(path),
      typeOf(schema),
      [...(required ? ['required'] : []), ...limitsOf(schema)].join('; '),
      schema.description ?? '',
    ),
  );
  return `${row('field', 'type', 'rule', 'meaning')}${row('---', '---', '---', '---')}${rows.join('')}`;
}

export function code(value: unknown): string {
  return `\`${typeof value === 'string' && value !== '' ? value : JSON.stringify(value)}\``;
}

/** `row` renders a table row. It escapes bars and braces, and joins lines. */
export function row(...cells: readonly string[]): string {
  const safe = cells.map((cell) =>
    cell
      .replaceAll(/\s+/g, ' ')
      .replaceAll('|', String.raw`\|`)
      .trim(),
  );
  return `| ${safe.join(' | ')} |\n`;
}
