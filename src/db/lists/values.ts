/** Operands of a filter as values of the field's type. Undefined where the text is none. */
import type { FieldType } from './definition.ts';

export type Value = string | number | boolean;

export const rules: Readonly<Record<FieldType, string>> = {
  text: 'a text',
  boolean: 'true or false',
  number: 'a number',
  timestamp: 'a time as RFC 3339 has it, such as 2026-01-31T12:00:00.000Z',
  id: 'an id: a URN, an href or a uuid',
};

/** PostgreSQL's types, for the parameter. */
export const sqlTypes: Readonly<Record<FieldType, string>> = {
  text: 'text',
  boolean: 'boolean',
  number: 'numeric',
  timestamp: 'timestamptz',
  id: 'uuid',
};

export function valueOf(type: FieldType, text: string): Value | undefined {
  return readers[type](text);
}

const readers: Readonly<Record<FieldType, (text: string) => Value | undefined>> = {
  text: (text) => text,
  boolean: (text) => ({ true: true, false: false })[text.toLowerCase()],
  number: (text) => (/^-?\d{1,18}(?:\.\d{1,9})?$/.test(text) ? text : undefined),
  timestamp,
  id: lastUuid,
};

const time = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;

/** In UTC unless it says otherwise. A `+` of an offset has become a space on its way through a query. */
function timestamp(given: string): string | undefined {
  const text = given.replace(/ (\d\d:?\d\d)$/, '+$1');
  if (!time.test(text)) return undefined;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/i.test(text.slice(10)) || text.length === 10 ? text : `${text}Z`;
  const parsed = new Date(zoned);
  // Text, since a Date has no microseconds; and only what a Date understands, which refuses the 31st of February's neighbours less than PostgreSQL.
  return Number.isNaN(parsed.getTime()) || !dayExists(text) ? undefined : zoned;
}

function dayExists(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const made = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && made.getUTCMonth() === month - 1 && made.getUTCDate() === day;
}

/** A URN and an href end with it, whatever stands before. */
function lastUuid(text: string): string | undefined {
  return text
    .match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi)
    ?.at(-1)
    ?.toLowerCase();
}
