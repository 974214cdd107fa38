/** The order of API versions: v2 above v1, stable above beta above alpha, and other names last, by the alphabet. */

interface Parsed {
  /** 2 for stable, 1 for beta, 0 for alpha. */
  readonly stability: number;
  readonly major: number;
  readonly minor: number;
}

const form = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;

function parse(version: string): Parsed | undefined {
  const match = form.exec(version);
  if (match === null) return undefined;
  const stability = match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0;
  return { stability, major: Number(match[1]), minor: Number(match[3] ?? 0) };
}

/** Negative where `a` is of lower priority than `b`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  if (left === undefined && right === undefined) return a === b ? 0 : a < b ? 1 : -1;
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  return left.stability - right.stability || left.major - right.major || left.minor - right.minor;
}
