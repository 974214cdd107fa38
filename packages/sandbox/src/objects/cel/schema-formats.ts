/** Strings whose format gives them the CEL type timestamp, duration or bytes. */
import { parseDuration, parseTimestamp } from './library/time.ts';
import { Duration, EvalError, type Value } from './values.ts';

export function parseFormatted(text: string, format: string | undefined): Value {
  switch (format) {
    case 'duration':
      return parseDuration(text) ?? parseWords(text) ?? new EvalError(`Invalid duration ${text}: `);
    case 'date':
      return parseTimestamp(`${text}T00:00:00Z`) ?? new EvalError(`Invalid date formatted string ${text}: `);
    case 'date-time':
      return parseDateTime(text) ?? new EvalError(`Invalid date-time formatted string ${text}: `);
    case 'byte':
      return Buffer.from(text, 'base64');
    default:
      return text;
  }
}

/** The time zone may be missing or have no colon. */
function parseDateTime(text: string): Value | undefined {
  return (
    parseTimestamp(text) ?? parseTimestamp(`${text}Z`) ?? parseTimestamp(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  );
}

const SECOND = 1_000_000_000n;

const WORDS: readonly (readonly [pattern: RegExp, nanos: bigint])[] = [
  [/^(?:ns|nanos?|nanoseconds?)$/, 1n],
  [/^(?:us|µs|micros?|microseconds?)$/, 1_000n],
  [/^(?:ms|millis?|milliseconds?)$/, 1_000_000n],
  [/^(?:s|secs?|seconds?)$/, SECOND],
  [/^(?:m|mins?|minutes?)$/, 60n * SECOND],
  [/^(?:h|hrs?|hours?)$/, 3_600n * SECOND],
  [/^(?:d|days?)$/, 86_400n * SECOND],
  [/^(?:w|wks?|weeks?)$/, 604_800n * SECOND],
];

/** `3 days`, `2 weeks 1 hour`: what OpenAPI's format allows in addition to Go's durations. */
function parseWords(text: string): Duration | undefined {
  const parts = [...text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)];
  if (parts.length === 0 || parts.map((part) => part[0]).join('').length !== text.replace(/\s+(?=\d)/g, '').length) {
    return undefined;
  }
  let total = 0n;
  for (const [, count = '0', unit = ''] of parts) {
    const nanos = WORDS.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1];
    if (nanos === undefined) return undefined;
    total += BigInt(count) * nanos;
  }
  return new Duration(total);
}
