/** Reading of JSON that came over the wire: whatever has the wrong type is absent. */

export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = Object.freeze({});

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : none;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** The longest name in Kubernetes. */
const LONGEST_NAME = 253;

// oxlint-disable-next-line no-control-regex -- these are what is looked for: PostgreSQL refuses NUL, and a line break would tear a sentence.
const unprintable = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** One line without control characters or torn surrogates, at most `longest` long; undefined where nothing is left. */
export function text(value: unknown, longest = LONGEST_NAME): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const line = value
    .slice(0, longest * 2)
    .replaceAll(unprintable, ' ')
    .trim();
  const cut = line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
  const whole = cut.toWellFormed();
  return whole === '' ? undefined : whole;
}

/** Within what a column of PostgreSQL's type `integer` holds. */
export function positiveInteger(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= 0x7fff_ffff ? value : undefined;
}

export function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

/** The value without the fields that are undefined: facts are kept as JSON by the hundred thousand. */
export function known<T extends object>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}
