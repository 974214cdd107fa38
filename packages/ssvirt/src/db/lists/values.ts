/** Parses a filter's operands as values of the field's type; undefined when the text is not such a value. */
import { isIP } from 'node:net';
import type { FieldType } from './definition.ts';

export type Value = string | number | boolean;

export const rules: Readonly<Record<FieldType, string>> = {
  text: 'a text',
  boolean: 'true or false',
  number: 'a number',
  timestamp: 'an RFC 3339 time, such as 2026-01-31T12:00:00.000Z',
  id: 'an id: a URN, an href or a uuid',
  address: 'an IP address, such as 192.0.2.10 or 2001:db8::1',
};

/** `sqlTypes` is the PostgreSQL type of the parameter. */
export const sqlTypes: Readonly<Record<FieldType, string>> = {
  text: 'text',
  boolean: 'boolean',
  number: 'numeric',
  timestamp: 'timestamptz',
  id: 'uuid',
  address: 'inet',
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
  // PostgreSQL has no zones.
  address: (text) => (isIP(text) === 0 || text.includes('%') ? undefined : text),
};

const time = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-5]):?[0-5]\d)?)?$/i;

/** UTC unless the text has an offset. The `+` of an offset becomes a space in a query string. */
function timestamp(given: string): string | undefined {
  const text = given.replace(/(T[\d:.]+) (\d\d:?\d\d)$/i, '$1+$2');
  if (!time.test(text)) return undefined;
  const zoned = text.length === 10 || /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
  // Returned as text, since a Date has no microseconds. A time that Date cannot parse is rejected, because PostgreSQL
  // would reject it too.
  return Number.isNaN(new Date(zoned).getTime()) || !dayExists(text) ? undefined : zoned;
}

function dayExists(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  const made = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && made.getUTCMonth() === month - 1 && made.getUTCDate() === day;
}

/** A URN and an href end with the uuid, whatever precedes it. */
function lastUuid(text: string): string | undefined {
  return text
    .match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi)
    ?.at(-1)
    ?.toLowerCase();
}
