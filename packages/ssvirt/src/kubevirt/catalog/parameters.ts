/** Parameters of a template, and their values when none are given. */
import { fields, known, list, text } from '../facts/reading.ts';
import type { CatalogParameter } from './entry.ts';

/** More than any template has, and few enough to be shown. */
const MOST_PARAMETERS = 100;
const LONGEST_DESCRIPTION = 1024;
const LONGEST_VALUE = 1024;

export interface Parameters {
  readonly shown: readonly CatalogParameter[];
  /** Values by name, including values that are not shown. They are used to read the VM and are not kept. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Why the template cannot be processed with any values; empty if it can. */
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
      fault ||= `its parameter ${name} has the generator ${text(generate, 64) ?? 'without a name'}, which is unknown`;
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
        // Not passed through `text`: a value is generated from the expression.
        generatedFrom: isGenerated && typeof from === 'string' && from !== '' ? from : undefined,
      }),
    );
  }
  return { shown, defaults, fault };
}

export interface GivenValues {
  readonly values: ReadonlyMap<string, string>;
  /** Parameters whose value differs from the template's own. */
  readonly chosen: ReadonlySet<string>;
  /** A parameter that the cluster would still generate. */
  readonly generated: string | undefined;
}

/** `withValues` returns what the template processor knows when it gets these values. */
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

/**
 * Recognizes a secret by the parameter's name or by the value. Expressions that generate passwords are not secrets:
 * they produce a different value each time.
 */
export function isSecret(name: string, value: string): boolean {
  return secretName.test(name) || secretValue.test(value);
}

/** No field that we read of a VM is nested deeper. */
const DEEPEST = 8;

/** `filled` fills in `${NAME}`, and parses the value of `${{NAME}}`. A reference without a default stays as it is. */
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
    // The template declares that it is JSON. If it is not, it counts as text, as in the template's own processor.
    return value;
  }
}
