/**
 * Kubernetes' resource.Quantity: a decimal number with a unit, such as `1500m` or `2Gi`. It has Go's two
 * representations (a 64-bit value with a power of ten, or an arbitrary decimal), because `asInteger` and the canonical
 * text differ between them. Like Go, it keeps the original text in some cases (`1.500` stays `1.500`).
 */

export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

export interface Quantity {
  /** The number is `value` × 10^`scale`. */
  readonly value: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  /** Whether it is an int64 with a scale; otherwise it is a decimal of any size. */
  readonly int64: boolean;
  /** The original text, if Go considers it canonical. */
  readonly text?: string;
}

const NANO = -9;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

const FORMAT_ERROR = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const NUMERIC_ERROR = 'unable to parse numeric part of quantity';
const SUFFIX_ERROR = "unable to parse quantity's suffix";

const DECIMAL_EXPONENTS = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);
const DECIMAL_SUFFIXES = new Map([...DECIMAL_EXPONENTS].map(([suffix, exponent]) => [exponent, suffix]));
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

export const ZERO_QUANTITY: Quantity = {
  value: 0n,
  scale: 0,
  format: 'DecimalSI',
  int64: true,
  text: '0',
};

/** `parseQuantity` parses `text`; returns undefined when it is not a quantity, and `quantityError` gives the reason. */
export function parseQuantity(text: string): Quantity | undefined {
  const parsed = parse(text);
  return typeof parsed === 'string' ? undefined : parsed;
}

/** Why `text` is not a quantity, in Kubernetes' words; undefined if it is one. */
export function quantityError(text: string): string | undefined {
  const parsed = parse(text);
  return typeof parsed === 'string' ? parsed : undefined;
}

export function quantityOfInt(value: bigint): Quantity {
  return { value, scale: 0, format: 'DecimalSI', int64: true };
}

interface Written {
  readonly negative: boolean;
  /** Everything before the suffix. */
  readonly number: string;
  /** The digits before the point without leading zeros; `0` if there are none. */
  readonly whole: string;
  readonly fraction: string;
}

interface Unit {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

// Number and suffix may both be empty: Go parses `k` and `.` as zero.
const WRITTEN = /^(([+-]?)0*([0-9]*)(?:\.([0-9]*))?)([eEinumkKMGTP]*[-+]?[0-9]*)$/;

function parse(text: string): Quantity | string {
  if (text === '0') return ZERO_QUANTITY;
  const match = WRITTEN.exec(text);
  if (text === '' || match === null) return FORMAT_ERROR;
  const [, number = '', sign, digits = '', fraction = '', suffix = ''] = match;
  const written: Written = {
    negative: sign === '-',
    number,
    whole: digits === '' ? '0' : digits,
    fraction,
  };
  const unit = unitOf(suffix);
  if (unit === undefined) return SUFFIX_ERROR;
  return parseInt64(text, written, unit) ?? parseDecimal(written, unit);
}

function unitOf(suffix: string): Unit | undefined {
  const decimal = DECIMAL_EXPONENTS.get(suffix);
  if (decimal !== undefined) return { base: 10, exponent: decimal, format: 'DecimalSI' };
  const binary = BINARY_SUFFIXES.indexOf(suffix);
  if (binary > 0) return { base: 2, exponent: binary * 10, format: 'BinarySI' };
  if (!/^[eE][-+]?[0-9]+$/.test(suffix)) return undefined;
  const exponent = BigInt(suffix.slice(1).replace('+', ''));
  if (!fitsInt64(exponent)) return undefined;
  return { base: 10, exponent: Number(BigInt.asIntN(32, exponent)), format: 'DecimalExponent' };
}

/** The fast path for numbers that certainly fit; undefined where Go falls back to arbitrary decimals. */
function parseInt64(text: string, written: Written, unit: Unit): Quantity | undefined {
  const { whole, fraction } = written;
  const decimal = unit.base === 10;
  if (!decimal && fraction !== '') return undefined;
  const spare = decimal
    ? 18 - whole.length - fraction.length
    : 15 - whole.length - Math.trunc((unit.exponent * 3) / 10) - 1;
  const scale = (decimal ? unit.exponent : 0) - fraction.length;
  if (spare < 0 || scale < NANO) return undefined;
  const digits = whole + fraction;
  const count = BigInt(digits);
  const size = decimal ? count : count << BigInt(unit.exponent);
  const canonical = decimal
    ? scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0')
    : (count & 7n) !== 0n;
  const quantity = {
    value: written.negative ? -size : size,
    scale,
    format: unit.format,
    int64: true,
  };
  return canonical ? { ...quantity, text } : quantity;
}

function parseDecimal(written: Written, unit: Unit): Quantity | string {
  if (!/[0-9]/.test(written.number)) return NUMERIC_ERROR;
  let value = BigInt(written.whole + written.fraction);
  let scale = -written.fraction.length;
  if (unit.base === 10) scale += unit.exponent;
  else value <<= BigInt(unit.exponent);
  if (scale < NANO && value !== 0n) {
    // An amount below one nano is rounded up, never to zero.
    value = divideUp(value, NANO - scale);
    scale = NANO;
  }
  let format = unit.format;
  if (format === 'BinarySI') {
    if (compareDecimals(value, scale, INT64_MAX, 0) > 0) [value, scale] = [INT64_MAX, 0];
    if (value > 0n && compareDecimals(value, scale, 1n, 0) < 0) format = 'DecimalSI';
  }
  return { value: written.negative ? -value : value, scale, format, int64: false };
}

/** −1, 0 or 1 if `a` is less than, equal to or greater than `b`. */
export function compareQuantity(a: Quantity, b: Quantity): number {
  return compareDecimals(a.value, a.scale, b.value, b.scale);
}

function compareDecimals(a: bigint, aScale: number, b: bigint, bScale: number): number {
  const bySign = sign(a) - sign(b);
  if (bySign !== 0) return bySign < 0 ? -1 : 1;
  if (a === 0n) return 0;
  // An exponent of billions must not create numbers with billions of digits.
  const byLength = digitsOf(a) + aScale - digitsOf(b) - bScale;
  if (byLength !== 0) return byLength > 0 === a > 0n ? 1 : -1;
  const low = Math.min(aScale, bScale);
  return sign(a * power10(aScale - low) - b * power10(bScale - low));
}

/** `addQuantity` returns the sum; if the left value is zero, it has the format of the right, as in Go. */
export function addQuantity(a: Quantity, b: Quantity): Quantity {
  const format = a.value === 0n ? b.format : a.format;
  const int64 = a.int64 && b.int64;
  if (int64 && b.value === 0n) return { value: a.value, scale: a.scale, format, int64 };
  if (int64 && a.value === 0n) return { value: b.value, scale: b.scale, format, int64 };
  const scale = Math.min(a.scale, b.scale);
  const left = a.value * boundedPower10(a.scale - scale);
  const right = b.value * boundedPower10(b.scale - scale);
  const value = left + right;
  return {
    value,
    scale,
    format,
    int64: int64 && fitsInt64(left) && fitsInt64(right) && fitsInt64(value),
  };
}

export function subQuantity(a: Quantity, b: Quantity): Quantity {
  return addQuantity(a, negateQuantity(b));
}

function negateQuantity(quantity: Quantity): Quantity {
  return {
    value: -quantity.value,
    scale: quantity.scale,
    format: quantity.format,
    int64: quantity.int64,
  };
}

/** `quantityAsInt64` returns the whole number as int64, where Go converts without rounding (it does not for `1000m`). */
export function quantityAsInt64(quantity: Quantity): bigint | undefined {
  if (!quantity.int64 || quantity.scale < 0) return undefined;
  if (quantity.scale > 18 && quantity.value !== 0n) return undefined;
  const value = quantity.value * power10(Math.min(quantity.scale, 18));
  return fitsInt64(value) ? value : undefined;
}

/** `quantityCeil` returns the value rounded up to a whole number, like `Quantity.Value()`. */
export function quantityCeil(quantity: Quantity): bigint {
  const { value, scale } = quantity;
  return scale >= 0 ? value * boundedPower10(scale) : divideUp(value, -scale);
}

export function quantityAsFloat(quantity: Quantity): number {
  return Number(`${quantity.value}e${quantity.scale}`);
}

/** `formatQuantity` returns the text of `Quantity.String()`: no fraction, and the largest unit without loss. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  if (quantity.value === 0n) return '0';
  return (quantity.format === 'BinarySI' ? formatBinary(quantity) : undefined) ?? formatDecimal(quantity);
}

function formatBinary(quantity: Quantity): string | undefined {
  const magnitude = abs(quantity.value);
  if (compareDecimals(magnitude, quantity.scale, 1024n, 0) < 0) return undefined;
  let value = quantityCeil(quantity);
  if (compareDecimals(quantity.value, quantity.scale, value, 0) !== 0) return undefined;
  let unit = 0;
  for (; value % 1024n === 0n; unit++) value /= 1024n;
  return `${value}${BINARY_SUFFIXES[unit] ?? ''}`;
}

function formatDecimal(quantity: Quantity): string {
  let { value, scale } = quantity;
  for (; value % 10n === 0n; scale++) value /= 10n;
  for (; scale % 3 !== 0; scale--) value *= 10n;
  if (quantity.format !== 'DecimalExponent') return `${value}${DECIMAL_SUFFIXES.get(scale) ?? ''}`;
  return scale === 0 ? `${value}` : `${value}e${scale}`;
}

function divideUp(value: bigint, power: number): bigint {
  if (power > digitsOf(value)) return BigInt(sign(value));
  const divisor = power10(power);
  const quotient = value / divisor;
  return value % divisor === 0n ? quotient : quotient + BigInt(sign(value));
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);
const sign = (value: bigint): number => (value === 0n ? 0 : value < 0n ? -1 : 1);
const digitsOf = (value: bigint): number => abs(value).toString().length;
const power10 = (power: number): bigint => 10n ** BigInt(power);
/** `1e900000000` is also a quantity, but its digits must not be written out. Values this large need not be exact. */
const boundedPower10 = (power: number): bigint => power10(Math.min(power, 1000));
const fitsInt64 = (value: bigint): boolean => value >= INT64_MIN && value <= INT64_MAX;
