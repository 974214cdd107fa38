/** Checks the given parameter values of a template before it is instantiated. */
import type { CatalogParameter } from './entry.ts';
import { generate, type Draw } from './generate.ts';

export interface ValueProblem {
  /** `parameters.NAME`. */
  readonly field: string;
  readonly message: string;
}

export interface ResolvedValues {
  /** The values to send to the cluster; it knows the defaults of the others. */
  readonly values: Readonly<Record<string, string>>;
  /**
   * The values that were generated here because none was given. The cluster must not generate any: the user who made
   * the request could not read them.
   */
  readonly generated: Readonly<Record<string, string>>;
  readonly problems: readonly ValueProblem[];
}

/** In bytes. All values together have to fit into a Secret. */
export const longestValue = 32 * 1024;

export interface ResolveOptions {
  /** Parameters whose values must be known now: their defaults are included in the result. */
  readonly needed?: ReadonlySet<string>;
  readonly draw?: Draw;
}

export function resolveValues(
  parameters: readonly CatalogParameter[],
  given: Readonly<Record<string, unknown>>,
  { needed = new Set(), draw }: ResolveOptions = {},
): ResolvedValues {
  const values = new Map<string, string>();
  const generated = new Map<string, string>();
  const problems: ValueProblem[] = [];
  const known = new Set(parameters.map(({ name }) => name));
  for (const name of Object.keys(given))
    if (!known.has(name)) problems.push({ field: fieldOf(name), message: unknownName(parameters) });
  for (const parameter of parameters) {
    const { name } = parameter;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const result = value === undefined ? standing(parameter, needed.has(name), draw) : checked(parameter, value);
    if ('problem' in result) problems.push({ field: fieldOf(name), message: result.problem });
    else if (result.value !== undefined) {
      values.set(name, result.value);
      if (result.isGenerated === true) generated.set(name, result.value);
    }
  }
  return { values: Object.fromEntries(values), generated: Object.fromEntries(generated), problems };
}

/**
 * Returns all known values: those that are given or generated, and the defaults of the others. A default that is a
 * secret is not included.
 */
export function withDefaults(
  parameters: readonly CatalogParameter[],
  values: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const all = new Map<string, string>();
  for (const { name, default: usual, hasDefault, generatedFrom } of parameters) {
    const value = Object.hasOwn(values, name) ? values[name] : usual;
    if (value !== undefined) all.set(name, value);
    else if (!hasDefault && generatedFrom === undefined) all.set(name, '');
  }
  return all;
}

/** Names of the parameters that a text refers to. */
export function referencesIn(texts: Iterable<string>): ReadonlySet<string> {
  const names = [...texts].flatMap((text) =>
    [...text.matchAll(/\$\{\{?([a-zA-Z0-9_]+)\}/g)].map(([, name = '']) => name),
  );
  return new Set(names);
}

type Result = { readonly value: string | undefined; readonly isGenerated?: true } | { readonly problem: string };

function checked({ required }: CatalogParameter, value: unknown): Result {
  if (typeof value !== 'string') return { problem: 'it is not a string; parameter values are strings' };
  if (!value.isWellFormed() || value.includes('\0')) return { problem: 'it contains invalid characters' };
  const length = new TextEncoder().encode(value).length;
  if (length > longestValue) return { problem: `it has ${length} bytes; the limit is ${longestValue}` };
  if (required && value === '') return { problem: 'it is required, and may not be empty' };
  return { value };
}

/** The value of a parameter for which none is given. */
function standing(parameter: CatalogParameter, isNeeded: boolean, draw: Draw | undefined): Result {
  const { default: usual, hasDefault, required, generatedFrom } = parameter;
  if (hasDefault) {
    if (!isNeeded) return { value: undefined };
    return usual === undefined
      ? { problem: 'its default is hidden but must be known; give a value' }
      : { value: usual };
  }
  if (generatedFrom !== undefined) {
    const made = generate(generatedFrom, draw);
    return made === undefined
      ? { problem: 'no value can be generated, since the expression of the item is malformed; give a value' }
      : { value: made, isGenerated: true };
  }
  if (required) return { problem: 'it is required, and has no default' };
  return { value: isNeeded ? '' : undefined };
}

function unknownName(parameters: readonly CatalogParameter[]): string {
  const names = parameters.map(({ name }) => name);
  return names.length === 0
    ? 'there is no such parameter: this item has none'
    : `there is no such parameter; there are ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}`;
}

function fieldOf(name: string): string {
  return `parameters.${name.length > 100 ? `${name.slice(0, 100)}…` : name}`;
}
