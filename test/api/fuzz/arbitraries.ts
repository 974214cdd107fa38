/** Values for a JSON schema: most are valid, some are forbidden by it, some are absurd. */
import fc from 'fast-check';

export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly additionalProperties?: boolean | Schema;
}

/** Values that break parsers, queries, pages and logs. */
const hostileTexts = [
  '',
  ' ',
  '\u0000',
  '\u0000null byte',
  "'; DROP TABLE users; --",
  '%',
  '_',
  '\\',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '${jndi:ldap://x}',
  '\uD800',
  '🦆'.repeat(50),
  'a'.repeat(5_000),
  'urn:vcloud:user:',
  'urn:vcloud:org:00000000-0000-0000-0000-000000000000',
  '__proto__',
  'null',
  'true',
  '-1',
  '1e400',
  '*',
  '((((((((((',
  'name==',
  'name==*;name!=x,(name==y)',
  '\r\nSet-Cookie: x=1',
];

export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[]], {
    __proto__: {},
  }),
  fc.jsonValue({ maxDepth: 3 }),
);

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** A value of the schema, or now and then an arbitrary one. */
export function valueOf(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 12, arbitrary: fitting(schema, known) }, { weight: 1, arbitrary: hostile });
}

/** Values that mean something to the server, such as ids of existing rows. */
export type KnownValues = (schema: Schema) => readonly unknown[];

function fitting(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const meant = known(schema);
  if (meant.length > 0)
    return fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...meant) },
      { weight: 1, arbitrary: byType(schema, known) },
    );
  return byType(schema, known);
}

function byType(schema: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valueOf(one, known)));
  switch (Array.isArray(schema.type) ? (schema.type as readonly string[])[0] : schema.type) {
    case 'object':
      return objectOf(schema, known);
    case 'array':
      return fc.array(valueOf(schema.items ?? {}, known), { maxLength: 4 });
    case 'integer':
      return fc.oneof(
        fc.integer({
          min: Math.max(schema.minimum ?? -10, -(2 ** 31)),
          max: Math.min(schema.maximum ?? 100_000, 2 ** 31 - 1),
        }),
        fc.constantFrom(schema.minimum ?? 0, schema.maximum ?? 0, (schema.maximum ?? 0) + 1, (schema.minimum ?? 0) - 1),
      );
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'string':
      return textOf(schema);
    default:
      return hostile;
  }
}

function textOf({ pattern, minLength = 0, maxLength = 40, format }: Schema): fc.Arbitrary<unknown> {
  const plain = fc.string({ minLength: Math.min(minLength, 200), maxLength: Math.min(maxLength, 200) });
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'email') return fc.emailAddress();
  if (pattern === undefined) return fc.oneof(plain, fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/), hostileText);
  return fc.oneof({ weight: 5, arbitrary: matching(pattern) }, { weight: 1, arbitrary: hostileText });
}

/** Values cannot be generated from look-aheads; words pass such patterns. */
function matching(pattern: string): fc.Arbitrary<string> {
  return fc.stringMatching(pattern.includes('(?') ? /^[a-z][a-z0-9-]{0,20}$/ : new RegExp(pattern));
}

function objectOf({ properties = {}, required = [] }: Schema, known: KnownValues): fc.Arbitrary<unknown> {
  const fields = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, known)]));
  const whole = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
  return fc.oneof(
    { weight: 10, arbitrary: whole },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(whole, fc.string({ minLength: 1, maxLength: 12 }), hostile)
        .map(([object, name, value]) => ({ ...object, [name]: value })),
    },
  );
}
