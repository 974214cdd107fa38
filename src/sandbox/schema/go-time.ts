/** RFC 3339 times as Go's time.Parse reads them and metav1.Time writes them: in UTC, cut to seconds. */
import { goQuote } from './go-text.ts';

export type ParsedTime =
  | { readonly time: string; readonly millis: number; readonly error?: undefined }
  | { readonly error: string };

interface Element {
  readonly layout: string;
  readonly pattern: RegExp;
  /** The name of the value in an out-of-range error. */
  readonly range?: { readonly name: string; readonly low: number; readonly high: number };
}

const elements: readonly Element[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  { layout: '-', pattern: /^-/ },
  { layout: '01', pattern: /^\d{2}/, range: { name: 'month', low: 1, high: 12 } },
  { layout: '-', pattern: /^-/ },
  { layout: '02', pattern: /^\d{2}/, range: { name: 'day', low: 1, high: 31 } },
  { layout: 'T', pattern: /^T/ },
  { layout: '15', pattern: /^\d{2}/, range: { name: 'hour', low: 0, high: 23 } },
  { layout: ':', pattern: /^:/ },
  { layout: '04', pattern: /^\d{2}/, range: { name: 'minute', low: 0, high: 59 } },
  { layout: ':', pattern: /^:/ },
  { layout: '05', pattern: /^\d{2}(?:[.,]\d+)?/, range: { name: 'second', low: 0, high: 59 } },
  { layout: 'Z07:00', pattern: /^(?:Z|[+-]\d{2}:\d{2})/ },
];

const wellFormed = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

export function parseTime(text: string): ParsedTime {
  return parseUsual(text) ?? parseCarefully(text);
}

/** What servers write themselves, and so nearly every time that is read; a date that does not exist comes out as another. */
function parseUsual(text: string): ParsedTime | undefined {
  if (!wellFormed.test(text)) return undefined;
  const date = new Date(text);
  const millis = date.getTime();
  return Number.isNaN(millis) || `${date.toISOString().slice(0, 19)}Z` !== text ? undefined : { time: text, millis };
}

function parseCarefully(text: string): ParsedTime {
  let rest = text;
  for (const { layout, pattern, range } of elements) {
    const match = pattern.exec(rest);
    if (match === null) return { error: cannotParse(text, rest, layout) };
    const value = Number.parseInt(match[0], 10);
    // The day is checked against its month once all is known.
    if (range !== undefined && range.name !== 'day' && (value < range.low || value > range.high)) {
      return { error: outOfRange(text, range.name) };
    }
    rest = rest.slice(match[0].length);
  }
  if (rest !== '') return { error: `parsing time ${goQuote(text)}: extra text: ${goQuote(rest)}` };
  const date = text.slice(0, 10);
  const days = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(days.getTime()) || days.toISOString().slice(0, 10) !== date) {
    return { error: outOfRange(text, 'day') };
  }
  const millis = Date.parse(text.replace(',', '.'));
  const time = new Date(Math.floor(millis / 1000) * 1000).toISOString().replace('.000', '');
  return { time, millis };
}

const cannotParse = (text: string, rest: string, layout: string): string =>
  `parsing time ${goQuote(text)} as "2006-01-02T15:04:05Z07:00": cannot parse ${goQuote(rest)} as "${layout}"`;
const outOfRange = (text: string, name: string): string => `parsing time ${goQuote(text)}: ${name} out of range`;
