/** Timestamps and durations: their texts as Go parses and prints them, and CEL's getters. */
import { type Overload, fail, member } from './functions.ts';
import { plainDouble } from './numbers.ts';
import { Duration, TIMESTAMP_OVERFLOW, Timestamp, type Value } from '../values.ts';

const SECOND = 1_000_000_000n;
const MILLI = 1_000_000n;
const INT_MAX = 2n ** 63n - 1n;
const INT_MIN = -(2n ** 63n);
const FIRST = -62_135_596_800n * SECOND;
const LAST = 253_402_300_799n * SECOND + 999_999_999n;

export const timestampOrOverflow = (nanos: bigint, zoneMinutes = 0): Value =>
  nanos >= FIRST && nanos <= LAST ? new Timestamp(nanos, zoneMinutes) : TIMESTAMP_OVERFLOW;

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?([Zz]|[+-]\d\d:\d\d)$/;

export function parseTimestamp(text: string): Timestamp | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  const offset = zoneMinutes(zone);
  const date = utc(Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second));
  if (date === undefined || offset === undefined) return undefined;
  const nanos = BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return new Timestamp(BigInt(date) * MILLI + nanos - BigInt(offset) * 60n * SECOND, offset);
}

/** Milliseconds since 1970; undefined for a nonexistent day or hour. */
function utc(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, 0);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

function zoneMinutes(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  if (hours > 24 || minutes > 60) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

export function formatTimestamp({ nanos, zoneMinutes: zone }: Timestamp): string {
  const fraction = modulo(nanos, SECOND);
  const date = new Date(Number((nanos - fraction) / MILLI) + zone * 60_000);
  const year = String(date.getUTCFullYear()).padStart(4, '0');
  const rest = date
    .toISOString()
    .replace(/^[+-]?\d+-/, '')
    .slice(0, 14);
  const digits = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  return `${year}-${rest}${digits}${formatZone(zone)}`;
}

function formatZone(minutes: number): string {
  if (minutes === 0) return 'Z';
  const total = Math.abs(minutes);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(total / 60))}:${two(total % 60)}`;
}

const modulo = (a: bigint, b: bigint): bigint => ((a % b) + b) % b;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', MILLI],
  ['s', SECOND],
  ['m', 60n * SECOND],
  ['h', 3_600n * SECOND],
]);

const PART = /([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)/y;

/** `parseDuration` parses `1h30m` like Go's time.ParseDuration. */
export function parseDuration(text: string): Duration | undefined {
  const sign = /^[+-]/.exec(text)?.[0] ?? '';
  const body = text.slice(sign.length);
  if (body === '0') return new Duration(0n);
  const nanos = sumParts(body);
  if (nanos === undefined) return undefined;
  const signed = sign === '-' ? -nanos : nanos;
  return signed >= INT_MIN && signed <= INT_MAX ? new Duration(signed) : undefined;
}

function sumParts(body: string): bigint | undefined {
  let total = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < body.length) {
    const match = PART.exec(body);
    if (match === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = match;
    const size = UNITS.get(unit);
    if (size === undefined || whole + fraction === '') return undefined;
    total += BigInt(whole === '' ? '0' : whole) * size;
    if (fraction !== '') total += (BigInt(fraction) * size) / 10n ** BigInt(fraction.length);
  }
  return body === '' ? undefined : total;
}

/** Seconds with as many decimals as needed: `90s`, `0.5s`. */
export const formatDuration = ({ nanos }: Duration): string => `${plainDouble(Number(nanos) / 1e9)}s`;

type Getter = (date: Date, nanos: bigint) => number;

const GETTERS: readonly (readonly [name: string, get: Getter])[] = [
  ['getDate', (date) => date.getUTCDate()],
  ['getDayOfMonth', (date) => date.getUTCDate() - 1],
  ['getDayOfWeek', (date) => date.getUTCDay()],
  ['getDayOfYear', (date) => dayOfYear(date)],
  ['getFullYear', (date) => date.getUTCFullYear()],
  ['getHours', (date) => date.getUTCHours()],
  ['getMilliseconds', (_, nanos) => Number(modulo(nanos, SECOND) / MILLI)],
  ['getMinutes', (date) => date.getUTCMinutes()],
  ['getMonth', (date) => date.getUTCMonth()],
  ['getSeconds', (date) => date.getUTCSeconds()],
];

function dayOfYear(date: Date): number {
  const first = new Date(date);
  first.setUTCMonth(0, 1);
  return Math.round((date.getTime() - first.getTime()) / 86_400_000);
}

const dateOf = (nanos: bigint): Date => new Date(Number((nanos - modulo(nanos, MILLI)) / MILLI));

function zoned({ nanos }: Timestamp, zone: string, get: Getter): Value {
  const minutes = /^[+-]?\d\d:\d\d$/.test(zone) ? zoneMinutes(/^\d/.test(zone) ? `+${zone}` : zone) : undefined;
  if (minutes !== undefined) return BigInt(get(dateOf(nanos + BigInt(minutes) * 60n * SECOND), nanos));
  const offset = namedZoneMillis(dateOf(nanos), zone);
  if (offset === undefined) return fail(`unknown time zone ${zone}`);
  return BigInt(get(dateOf(nanos + BigInt(offset) * MILLI), nanos));
}

/** The offset from UTC of a zone in the time zone database at that moment. */
function namedZoneMillis(date: Date, timeZone: string): number | undefined {
  if (timeZone === '' || timeZone === 'UTC') return 0;
  try {
    const text = date.toLocaleString('sv-SE', { timeZone });
    return Date.parse(`${text.replace(' ', 'T')}Z`) - Math.floor(date.getTime() / 1000) * 1000;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const DURATION_GETTERS: readonly (readonly [name: string, unit: bigint])[] = [
  ['getHours', 3_600n * SECOND],
  ['getMinutes', 60n * SECOND],
  ['getSeconds', SECOND],
];

export const TIME: readonly Overload[] = [
  ...GETTERS.flatMap(([name, get]) => [
    member(name, ['timestamp'], 'int', (time) => BigInt(get(dateOf(time.nanos), time.nanos))),
    member(name, ['timestamp', 'string'], 'int', (time, zone) => zoned(time, zone, get)),
  ]),
  ...DURATION_GETTERS.map(([name, unit]) => member(name, ['duration'], 'int', (length) => length.nanos / unit)),
  member('getMilliseconds', ['duration'], 'int', (length) => length.nanos / MILLI),
];
