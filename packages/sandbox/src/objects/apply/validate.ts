/** Validates a value against its schema, as far as server-side apply does. */
import type { Json, JsonObject } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import type { Atom, ListAtom, MapAtom, ScalarType } from './atom.ts';
import { shapeOf } from './atom.ts';
import { goPrinted, goSyntax, goType } from '../schema/go/go-print.ts';
import { elementText, field } from './path.ts';
import type { ValidationError } from './typed.ts';
import { identify, TypedError } from './typed.ts';

export interface ApplyValidateOptions {
  /** Stored objects may contain duplicate items in sets and keyed lists; applied ones may not. */
  readonly allowDuplicates: boolean;
}

/** `validate` throws TypedError. */
export function validate(value: Json, atom: Atom, options: ApplyValidateOptions): void {
  const errors: ValidationError[] = [];
  new Walk(errors, options.allowDuplicates).visit(value, atom, '');
  if (errors.length > 0) throw new TypedError(errors);
}

class Walk {
  readonly #errors: ValidationError[];
  readonly #allowDuplicates: boolean;

  constructor(errors: ValidationError[], allowDuplicates: boolean) {
    this.#errors = errors;
    this.#allowDuplicates = allowDuplicates;
  }

  visit(value: Json, atom: Atom, path: string): void {
    switch (shapeOf(atom, value)) {
      case 'map':
        return this.#map(value, atom.map!, path);
      case 'list':
        return this.#list(value, atom.list!, path);
      case 'scalar': {
        const message = scalarError(value, atom.scalar!);
        return message === undefined ? undefined : this.#fail(path, message);
      }
      case 'none':
        return this.#fail(path, 'schema error: invalid atom: inlined');
    }
  }

  #map(value: Json, map: MapAtom, path: string): void {
    if (value === null) return;
    if (!isObject(value)) return this.#fail(path, `expected map, got ${printed(value)}`);
    this.#fields(value, map, path);
  }

  #fields(value: JsonObject, map: MapAtom, path: string): void {
    for (const name in value) {
      const below = value[name];
      if (below === undefined) continue;
      const atom = map.field(name)?.atom ?? map.element();
      // Validation of this map ends at the first unknown field.
      if (atom === undefined) return this.#fail(`${path}.${name}`, 'field not declared in schema');
      this.visit(below, atom, `${path}${elementText(field(name))}`);
    }
  }

  #list(value: Json, list: ListAtom, path: string): void {
    if (value === null) return;
    if (!Array.isArray(value)) return this.#fail(path, `expected list, got ${printed(value)}`);
    const seen = new Set<string>();
    for (const [index, each] of value.entries()) {
      if (list.atomic) {
        this.visit(each, list.element(), `${path}[${index}]`);
        continue;
      }
      const identity = identify(list, each);
      if ('error' in identity) return this.#fail(path, `element ${index}: ${identity.error}`);
      const { element } = identity;
      if (seen.has(element) && !this.#allowDuplicates)
        this.#fail(path, `duplicate entries for key ${elementText(element)}`);
      seen.add(element);
      // The text of an element is needed only for errors and is expensive for keys.
      const before = this.#errors.length;
      this.visit(each, list.element(), '');
      for (let i = before; i < this.#errors.length; i++) {
        const error = this.#errors[i]!;
        this.#errors[i] = { ...error, path: `${path}${elementText(element)}${error.path}` };
      }
    }
  }

  #fail(path: string, message: string): void {
    this.#errors.push({ path, message });
  }
}

function scalarError(value: Json, type: ScalarType): string | undefined {
  if (value === null) return undefined;
  switch (type) {
    case 'numeric':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${goType(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got ${printed(value)}`;
    case 'untyped':
      return typeof value !== 'object' ? undefined : `expected any scalar, got ${printed(value)}`;
  }
}

const printed = (value: Json): string => `&{${goPrinted(value)}}`;
