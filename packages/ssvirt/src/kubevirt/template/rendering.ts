/**
 * Renders an object of a template as the processors of OpenShift and KubeVirt do, and records where the values went
 * that the caller chose. `${X}` is replaced in strings and in the names of fields, one reference after the other, each
 * in the result of the previous one. A string that is nothing but `${{X}}` is replaced by the value parsed as JSON.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { RenderingFault } from './fault.ts';

export interface TemplateValues {
  readonly values: ReadonlyMap<string, string>;
  /** Parameters that the caller has set to a value other than the default. */
  readonly chosen: ReadonlySet<string>;
  /** Parameters whose values are not known here. */
  readonly open?: ReadonlySet<string>;
}

/** For objects that exist in the cluster already: nothing is left to fill in. */
export const noValues: TemplateValues = { values: new Map(), chosen: new Set() };

/** `Leaf` is a string, a number or a boolean of a rendered object. */
export interface Leaf {
  /** Names of fields from the object down; lists add no element. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** The chosen parameters in its value. */
  readonly chosen: readonly string[];
  /** It depends on a value that is not known here. */
  readonly isOpen: boolean;
  /** Parameters in its value for which the author has listed all values; the first is blamed if none was chosen. */
  readonly listed?: readonly string[];
  /** Its value must not appear in a fault's message. */
  readonly isHidden?: boolean;
}

export interface Rendered {
  readonly object: unknown;
  readonly leaves: readonly Leaf[];
  readonly faults: readonly RenderingFault[];
}

const DEEPEST = 40;
const WHOLE = /^\$\{\{([a-zA-Z0-9_]+)\}\}$/;
const REFERENCE = /\$\{([a-zA-Z0-9_]+?)\}/g;

export function render(raw: unknown, given: TemplateValues, where: string): Rendered {
  return new Rendering(given, where).of(raw);
}

class Rendering {
  readonly #given: TemplateValues;
  readonly #where: string;
  readonly #leaves: Leaf[] = [];
  readonly #faults: RenderingFault[] = [];

  constructor(given: TemplateValues, where: string) {
    this.#given = given;
    this.#where = where;
  }

  of(raw: unknown): Rendered {
    const object = this.#walk(raw, [], 0);
    return { object, leaves: this.#leaves, faults: this.#faults };
  }

  #walk(raw: unknown, path: readonly string[], depth: number): unknown {
    if (depth > DEEPEST) {
      this.#fault(path, `is nested more than ${DEEPEST} levels deep`);
      return undefined;
    }
    if (typeof raw === 'string') return this.#filled(raw, path, depth);
    if (Array.isArray(raw)) return raw.map((one: unknown) => this.#walk(one, path, depth + 1));
    if (typeof raw !== 'object' || raw === null) {
      this.#leaves.push({ path, value: raw, chosen: [], isOpen: false });
      return raw;
    }
    const entries = Object.entries(raw).map(([key, value]): readonly [string, unknown] => {
      const field = this.#field(key, path);
      return [field, this.#walk(value, [...path, field], depth + 1)];
    });
    return Object.fromEntries(entries);
  }

  #filled(raw: string, path: readonly string[], depth: number): unknown {
    const [, whole] = WHOLE.exec(raw) ?? [];
    const value = whole === undefined ? undefined : this.#given.values.get(whole);
    if (whole === undefined || value === undefined) {
      this.#leaf(path, substituted(raw, this.#given.values), raw);
      return substituted(raw, this.#given.values);
    }
    const json = jsonOrText(value);
    if (typeof json === 'object' && json !== null) return this.#filledJson(json, path, whole, depth);
    this.#leaf(path, json, raw);
    return json;
  }

  /** Only the author sets the structure: a caller who could add fields could add any field. */
  #filledJson(json: object, path: readonly string[], name: string, depth: number): unknown {
    const isChosen = this.#given.chosen.has(name);
    if (isChosen && holdsObject(json)) {
      this.#fault(path, 'accepts a number, a boolean, a string or a list of these, but no JSON object', name);
      return undefined;
    }
    if (!isChosen) return new Rendering(noValues, this.#where).#merged(this, json, path, depth);
    for (const one of json as readonly unknown[])
      this.#leaves.push({ path, value: one, chosen: [name], isOpen: false });
    return json;
  }

  /** References inside a value are not filled in again. */
  #merged(into: Rendering, json: object, path: readonly string[], depth: number): unknown {
    const made = this.#walk(json, path, depth + 1);
    into.#leaves.push(...this.#leaves);
    into.#faults.push(...this.#faults);
    return made;
  }

  #field(key: string, path: readonly string[]): string {
    const chosen = this.#chosenIn(key);
    if (chosen[0] !== undefined && !isFreeText(path))
      this.#fault(path, 'gets a field of that name; only the template may set field names', chosen[0]);
    return substituted(key, this.#given.values);
  }

  #leaf(path: readonly string[], value: unknown, raw: string): void {
    const { open } = this.#given;
    const isOpen = open !== undefined && referencesOf(raw).some((name) => open.has(name));
    this.#leaves.push({ path, value, chosen: this.#chosenIn(raw), isOpen });
  }

  #chosenIn(raw: string): readonly string[] {
    return referencesOf(raw).filter((name) => this.#given.chosen.has(name));
  }

  #fault(path: readonly string[], message: string, parameter?: string): void {
    const where = [this.#where, path.slice(0, 8).join('.')].filter((part) => part !== '').join(' ');
    this.#faults.push({ where, message, ...defined({ parameter }) });
  }
}

function referencesOf(raw: string): readonly string[] {
  return [...raw.matchAll(/\$\{\{?([a-zA-Z0-9_]+)\}/g)].map(([, name = '']) => name);
}

/** Same as Go's `strings.Replace(…, 1)`: if a value contains a later reference, that occurrence is replaced. */
function substituted(raw: string, values: ReadonlyMap<string, string>): string {
  let text = raw;
  for (const [reference, name = ''] of raw.matchAll(REFERENCE)) {
    const value = values.get(name);
    if (value !== undefined) text = text.replace(reference, () => value);
  }
  return text;
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function holdsObject(json: unknown): boolean {
  return Array.isArray(json) ? json.some((one) => typeof one === 'object' && one !== null) : true;
}

/** Data of Secrets and ConfigMaps: their keys have no meaning for the cluster. */
function isFreeText([first, ...rest]: readonly string[]): boolean {
  return rest.length === 0 && (first === 'data' || first === 'stringData' || first === 'binaryData');
}
