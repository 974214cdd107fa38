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

const time = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-5]):?[0-5]\d)?)?$/i;

/** In UTC unless it says otherwise. A `+` of an offset has become a space on its way through a query. */
function timestamp(given: string): string | undefined {
  const text = given.replace(/(T[\d:.]+) (\d\d:?\d\d)$/i, '$1+$2');
  if (!time.test(text)) return undefined;
  const zoned = text.length === 10 || /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
  // As text, since a Date has no microseconds; but what a Date does not understand is none, and PostgreSQL would refuse it too.
  return Number.isNaN(new Date(zoned).getTime()) || !dayExists(text) ? undefined : zoned;
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
