/**
 * Compares the fields that the controller would write with the live ones. Values that servers fill in are not
 * differences: only our fields count, and those that AAP recorded as applied. Quantities are compared by value, and
 * list entries by name.
 */
import { fields, list } from '../../kubevirt/facts/reading.ts';
import { quantity } from '@ssvirt/base/values/quantity';

export interface Difference {
  readonly path: string;
  /** The display form; absent if there is no value. */
  readonly ours?: string;
  readonly theirs?: string;
}

/** `differences` returns the fields of `ours` that are different in `theirs`. */
export function differences(ours: unknown, theirs: unknown, path = ''): readonly Difference[] {
  if (Array.isArray(ours)) return listDifferences(ours, theirs, path);
  if (isMap(ours)) {
    if (!isMap(theirs)) return [{ path, ours: shownValue(ours), ...has(theirs) }];
    return Object.entries(ours).flatMap(([name, value]) => differences(value, theirs[name], within(path, name)));
  }
  return isSame(ours, theirs, path)
    ? []
    : [{ path, ...(ours === undefined ? {} : { ours: shownValue(ours) }), ...has(theirs) }];
}

/** `onlyThere` returns the applied fields that are not in `ours`. */
export function onlyThere(ours: unknown, applied: unknown, path = ''): readonly Difference[] {
  if (Array.isArray(applied)) {
    return applied.flatMap((entry: unknown, index) => {
      const found = list(ours).find((one, at) => isSameEntry(one, entry, at === index));
      const at = `${path}[${entryName(entry, index)}]`;
      return found === undefined ? [{ path: at, theirs: shownValue(entry) }] : onlyThere(found, entry, at);
    });
  }
  if (!isMap(applied)) return ours === undefined ? [{ path, theirs: shownValue(applied) }] : [];
  if (ours === undefined) return path === '' ? [] : [{ path, theirs: shownValue(applied) }];
  return Object.entries(applied).flatMap(([name, value]) => onlyThere(fields(ours)[name], value, within(path, name)));
}

function listDifferences(ours: readonly unknown[], theirs: unknown, path: string): readonly Difference[] {
  if (!Array.isArray(theirs)) return [{ path, ours: shownValue(ours), ...has(theirs) }];
  const missing = ours.flatMap((entry, index) => {
    const at = `${path}[${entryName(entry, index)}]`;
    const found = list(theirs).find((one, other) => isSameEntry(one, entry, other === index));
    return found === undefined ? [{ path: at, ours: shownValue(entry) }] : differences(entry, found, at);
  });
  // An extra port is a security risk, so ports are compared completely. Other lists may have entries of other owners.
  const isWhole = path.endsWith('ports') || ours.every((entry) => typeof entry === 'string');
  const extra = isWhole
    ? list(theirs).filter((entry) => !ours.some((one, at) => isSameEntry(one, entry, at === theirs.indexOf(entry))))
    : [];
  return [
    ...missing,
    ...extra.map((entry, index) => ({ path: `${path}[${entryName(entry, index)}]`, theirs: shownValue(entry) })),
  ];
}

/** Compares entries by name, strings by value, and all others by position. */
function isSameEntry(one: unknown, other: unknown, isSamePlace: boolean): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return isSamePlace;
  if (!isMap(one) || !isMap(other)) return one === other;
  return one['name'] === undefined && other['name'] === undefined ? isSamePlace : one['name'] === other['name'];
}

function entryName(entry: unknown, index: number): string {
  const name = fields(entry)['name'];
  return typeof name === 'string' ? name : String(index);
}

/** Secret values are compared, but never shown. */
export function secretDifferences(ours: unknown, theirs: unknown): readonly Difference[] {
  const bytesOf = (value: unknown): Buffer | undefined =>
    typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
  return Object.entries(fields(ours)).flatMap(([key, value]) => {
    const wanted = bytesOf(value) ?? Buffer.alloc(0);
    const found = bytesOf(fields(theirs)[key]);
    if (found?.equals(wanted) === true) return [];
    const length = (bytes: Buffer): string => `${bytes.length} bytes, not shown`;
    return [{ path: `data.${key}`, ours: length(wanted), ...(found === undefined ? {} : { theirs: length(found) }) }];
  });
}

const amounts = /(?:^|\.)(?:guest|storage|memory|cpu)$/;

function isSame(ours: unknown, theirs: unknown, path: string): boolean {
  if (ours === theirs) return true;
  if (amounts.test(path)) {
    const amount = quantity(ours);
    return amount !== undefined && amount === quantity(theirs);
  }
  // A port may be a number or a string.
  return isScalar(ours) && isScalar(theirs) && String(ours) === String(theirs);
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function has(theirs: unknown): { readonly theirs?: string } {
  return theirs === undefined ? {} : { theirs: shownValue(theirs) };
}

function within(path: string, name: string): string {
  const part = /^[\w-]+$/.test(name) ? name : `"${name}"`;
  return path === '' ? part : `${path}.${part}`;
}

const longest = 120;

function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
