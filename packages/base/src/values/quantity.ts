/** Kubernetes' quantities, such as `1536Mi`, `2G`, `500m`, `1e3`. */

const factors: ReadonlyMap<string, number> = new Map([
  ['n', 1e-9],
  ['u', 1e-6],
  ['m', 1e-3],
  ['', 1],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['P', 1e15],
  ['E', 1e18],
  ['Ki', 2 ** 10],
  ['Mi', 2 ** 20],
  ['Gi', 2 ** 30],
  ['Ti', 2 ** 40],
  ['Pi', 2 ** 50],
  ['Ei', 2 ** 60],
]);

const MIB = 2 ** 20;

/** `quantity` parses a quantity to a number; undefined if it is invalid or negative. A bare number is a quantity too. */
export function quantity(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 && Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const [, digits, suffix = ''] = /^\+?(\d+\.?\d*|\.\d+)([A-Za-z]{0,2}|[eE][+-]?\d{1,3})$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  const factor = factors.get(suffix) ?? (/\d/.test(suffix) ? Number(`1${suffix}`) : undefined);
  const amount = factor === undefined ? Number.NaN : Number(digits) * factor;
  return Number.isFinite(amount) ? amount : undefined;
}

/** In whole bytes, as far as JavaScript counts exactly. */
export function bytes(value: unknown): number | undefined {
  const amount = quantity(value);
  const whole = amount === undefined ? Number.NaN : Math.ceil(amount);
  return Number.isSafeInteger(whole) ? whole : undefined;
}

/** In MiB, rounded down; undefined for less than one. */
export function mebibytes(value: unknown): number | undefined {
  const amount = bytes(value);
  return amount === undefined || amount < MIB ? undefined : Math.floor(amount / MIB);
}
