/** Parameters of a template: what they are, and what they stand for where nothing is given. */
import { fields, known, list, text } from '../facts/reading.ts';
import type { CatalogParameter } from './entry.ts';

/** More than any template has, and few enough to be shown. */
const MOST_PARAMETERS = 100;
const LONGEST_DESCRIPTION = 1024;
const LONGEST_VALUE = 1024;

export interface Parameters {
  readonly shown: readonly CatalogParameter[];
  /** Values by name, those that are not shown as well: for looking into the machine, not for keeping. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Why the template cannot be processed, whatever is given; empty where it can. */
  readonly fault: string;
}

export function parametersOf(value: unknown): Parameters {
  const all = list(value).slice(0, MOST_PARAMETERS).map(fields);
  const defaults = new Map<string, string>();
  let fault = '';
  const shown: CatalogParameter[] = [];
  for (const parameter of all) {
    const { name: called, displayName, description, value: given, generate, from, required } = parameter;
    const name = text(called);
    if (name === undefined) {
      fault ||= 'a parameter has no name';
      continue;
    }
    const standing = typeof given === 'string' && given !== '' ? given : undefined;
    if (standing !== undefined) defaults.set(name, standing);
    const isGenerated = standing === undefined && generate === 'expression';
    if (standing === undefined && generate !== undefined && generate !== '' && !isGenerated)
      fault ||= `its parameter ${name} has the generator ${text(generate, 64) ?? 'without a name'}, which nobody knows`;
    if (isGenerated && typeof from === 'string' && from.length > LONGEST_VALUE)
      fault ||= `the expression of its parameter ${name} has more than ${LONGEST_VALUE} characters`;
    shown.push(
      known<CatalogParameter>({
        name,
        displayName: text(displayName) ?? name,
        description: text(description, LONGEST_DESCRIPTION) ?? '',
        default: standing === undefined || isSecret(name, standing) ? undefined : text(standing, LONGEST_VALUE),
        hasDefault: standing !== undefined,
        required: required === true,
        // As it stands: a value is generated from it.
        generatedFrom: isGenerated && typeof from === 'string' && from !== '' ? from : undefined,
      }),
    );
  }
  return { shown, defaults, fault };
}

export interface GivenValues {
  readonly values: ReadonlyMap<string, string>;
  /** Those that are not what the template itself says. */
  readonly chosen: ReadonlySet<string>;
  /** A parameter that the cluster would still generate. */
  readonly generated: string | undefined;
}

/** `withValues` is what the processor of a template knows when these values are given to it. */
export function withValues(parameters: unknown, given: Readonly<Record<string, string>>): GivenValues {
  const values = new Map<string, string>();
  const chosen = new Set<string>();
  let generated: string | undefined;
  for (const { name: called, value: usual, generate } of list(parameters).map(fields)) {
    if (typeof called !== 'string') continue;
    const own = typeof usual === 'string' ? usual : '';
    const value = Object.hasOwn(given, called) ? given[called] : undefined;
    values.set(called, value ?? own);
    if (value !== undefined && value !== own) chosen.add(called);
    if (value === undefined && own === '' && generate === 'expression') generated ??= called;
  }
  return { values, chosen, generated };
}

const secretName = /passw|passphrase|pwd|secret|token|credential|(?:private|api|access|ssh|auth)[_-]?key/i;
const secretValue = /passw(?:or)?d"?\s*[:=]|-----BEGIN [A-Z ]*PRIVATE KEY/i;

/** By its name, or by what it looks like. Expressions that make passwords up are none: what they make differs each time. */
export function isSecret(name: string, value: string): boolean {
  return secretName.test(name) || secretValue.test(value);
}

/** What we read of a machine does not lie deeper. */
const DEEPEST = 8;

/** With `${NAME}` filled in, and with what `${{NAME}}` reads as; what has no default stays as it is. */
export function filled(value: unknown, defaults: ReadonlyMap<string, string>, depth = 0): unknown {
  if (typeof value === 'string') return filledText(value, defaults);
  if (depth >= DEEPEST) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => filled(item, defaults, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item, defaults, depth + 1)]));
}

function filledText(value: string, defaults: ReadonlyMap<string, string>): unknown {
  if (!value.includes('${')) return value;
  const [, whole] = /^\$\{\{([a-zA-Z0-9_]+)\}\}$/.exec(value) ?? [];
  if (whole !== undefined) return jsonOrText(defaults.get(whole)) ?? value;
  return value.replaceAll(/\$\{([a-zA-Z0-9_]+)\}/g, (reference, name: string) => defaults.get(name) ?? reference);
}

function jsonOrText(value: string | undefined): unknown {
  if (value === undefined) return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    // The template says that it is JSON; where it is not, it counts as text, as the template's own processor has it.
    return value;
  }
}
