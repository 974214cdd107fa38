/**
 * `'%s is %d'.format([…])` as in cel-go's string library 2: `%f` has thousands separators and `%e` is a power of ten,
 * because that version formats for the locale en-US.
 */
import { goFloat } from '../../schema/go/go-text.ts';
import { formatDuration, formatTimestamp } from './time.ts';
import {
  Duration,
  EvalError,
  ListValue,
  MapValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
  compareTexts,
  typeName,
} from '../values.ts';

export interface FormatFailure {
  readonly message: string;
  /** The position of the faulty argument in the source, if the source is known. */
  readonly at?: number;
}

export type Verb = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';
const VERBS: ReadonlySet<string> = new Set(['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o']);
const isVerb = (text: string): text is Verb => VERBS.has(text);

/** Formats one argument, or returns the error when its type does not match the verb. */
export type Clause = (verb: Verb, precision: number, argument: number) => string | FormatFailure;

export interface Interpolation {
  readonly text: string;
  /** The number of arguments that the format used. */
  readonly used: number;
}

/** `interpolate` interprets a format. The clause decides whether arguments are values or only types. */
export function interpolate(
  format: string,
  count: number,
  strict: boolean,
  clause: Clause,
): Interpolation | FormatFailure {
  let text = '';
  let used = 0;
  for (let i = 0; i < format.length;) {
    const character = format[i] ?? '';
    if (character !== '%' || format[i + 1] === '%') {
      text += character;
      i += character === '%' ? 2 : 1;
      continue;
    }
    if (strict && used >= count) return { message: `index ${used} out of range` };
    if (i + 1 >= format.length) return { message: 'unexpected end of string' };
    if (used >= count) return { message: `index ${used} out of range` };
    const parsed = parseClause(format.slice(i + 1));
    if ('message' in parsed) return { message: `could not parse formatting clause: ${parsed.message}` };
    const written = clause(parsed.verb, parsed.precision, used);
    if (typeof written !== 'string') return { ...written, message: `error during formatting: ${written.message}` };
    text += written;
    i += 1 + parsed.length;
    used++;
  }
  return { text, used };
}

interface ParsedClause {
  readonly verb: Verb;
  readonly precision: number;
  readonly length: number;
}

function parseClause(rest: string): ParsedClause | FormatFailure {
  let precision = 6;
  let length = 0;
  if (rest.startsWith('.')) {
    const digits = /^[0-9]*/.exec(rest.slice(1))?.[0] ?? '';
    length = 1 + digits.length;
    const failed = 'error while parsing precision: ';
    if (length >= rest.length) return { message: `${failed}could not find end of precision specifier` };
    if (digits === '') {
      return {
        message: `${failed}error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`,
      };
    }
    precision = Number(digits);
  }
  const verb = rest[length] ?? '';
  if (!isVerb(verb)) return { message: `unrecognized formatting clause "${verb}"` };
  return { verb, precision, length: length + 1 };
}

export const COMPLAINTS: Readonly<Record<Verb, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
};

export function formatString(format: string, args: ListValue): Value {
  const result = interpolate(format, args.size, true, (verb, precision, argument) => {
    const value = args.get(argument);
    return writeAs(verb, precision, value) ?? { message: `${COMPLAINTS[verb]}, was given ${typeName(value)}` };
  });
  return 'text' in result ? result.text : new EvalError(result.message);
}

function writeAs(verb: Verb, precision: number, value: Value): string | undefined {
  const whole = typeof value === 'bigint' ? value : value instanceof Uint ? value.value : undefined;
  switch (verb) {
    case 's':
      return plain(value);
    case 'd':
      return whole?.toString();
    case 'f':
      return onDouble(value, (double) => fixed(double, precision));
    case 'e':
      // cel-go uses the precision as a width here, so there are always six digits.
      return onDouble(value, scientific);
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : whole?.toString(2);
    case 'o':
      return whole?.toString(8);
    case 'x':
      return hex(value, whole);
    case 'X':
      return hex(value, whole)?.toUpperCase();
  }
}

function hex(value: Value, whole: bigint | undefined): string | undefined {
  if (whole !== undefined) return whole.toString(16);
  if (typeof value === 'string') return Buffer.from(value).toString('hex');
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : undefined;
}

const SPECIAL: ReadonlyMap<Value, number> = new Map<Value, number>([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
]);

function onDouble(value: Value, write: (double: number) => string): string | undefined {
  const double = typeof value === 'number' ? value : SPECIAL.get(value);
  if (double === undefined) return undefined;
  if (Number.isNaN(double)) return 'NaN';
  if (!Number.isFinite(double)) return double > 0 ? '∞' : '-∞';
  return write(double);
}

const fixed = (value: number, precision: number): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: precision, maximumFractionDigits: precision });

const SUPERSCRIPT = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

function scientific(value: number): string {
  const [mantissa = '', exponent = '+0'] = value.toExponential(6).split('e');
  const digits = exponent.slice(1).padStart(2, '0');
  const raised = [...digits].map((digit) => SUPERSCRIPT[Number(digit)] ?? '').join('');
  return `${mantissa}×10${exponent.startsWith('-') ? '⁻' : ''}${raised}`;
}

/** `%s`: like `string()`; lists and maps as CEL literals. */
function plain(value: Value): string | undefined {
  if (value === null) return 'null';
  if (value instanceof ListValue) return literalList(value);
  if (value instanceof MapValue) return literalMap(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (typeof value === 'number') return goFloat(value);
  return typeof value === 'object' ? undefined : String(value);
}

/** A value inside a list or map, as a CEL literal. */
function literal(value: Value): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value.toFixed(6) : JSON.stringify(goFloat(value));
  if (value instanceof Uint8Array) return `b${JSON.stringify(Buffer.from(value).toString('utf8'))}`;
  if (value instanceof Timestamp) return `timestamp("${formatTimestamp(value)}")`;
  if (value instanceof Duration) return `duration("${formatDuration(value)}")`;
  return plain(value);
}

function literalList(list: ListValue): string | undefined {
  const items = list.items().map(literal);
  return items.includes(undefined) ? undefined : `[${items.join(', ')}]`;
}

function literalMap(map: MapValue): string | undefined {
  const entries = map.keys().map((key) => [literal(key), literal(map.find(key) ?? null)] as const);
  if (entries.some(([key, value]) => key === undefined || value === undefined)) return undefined;
  const sorted = entries.sort(([a = ''], [b = '']) => compareTexts(a, b));
  return `{${sorted.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}
