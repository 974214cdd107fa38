/**
 * A schema as server-side apply uses it: which values are allowed (scalar, list, map), which lists are associative and
 * by which keys, and which maps and lists are owned as a whole. The rules are those of kube-openapi's schemaconv.
 * Everything is computed on first use, because schemas can be cyclic.
 */
import type { Json } from '../../values/json.ts';
import { isObject } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';

export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

/** Several parts are set when the schema names no type. No part is set when the schema says nothing about the value. */
export interface Atom {
  readonly scalar?: ScalarType;
  readonly list?: ListAtom;
  readonly map?: MapAtom;
}

export interface ListAtom {
  readonly atomic: boolean;
  /** An associative list without keys is a set of scalars. */
  readonly keys: readonly string[];
  element(): Atom;
}

export interface MapAtom {
  readonly atomic: boolean;
  /** Named fields and their types. Other names have the type `element`, or are not allowed without one. */
  field(name: string): FieldType | undefined;
  element(): Atom | undefined;
  /** No named fields and untyped elements: free-form content, whose ownership is never reconciled with the schema. */
  freeForm(): boolean;
}

export interface FieldType {
  readonly atom: Atom;
  readonly default: Json | undefined;
}

export type Shape = 'map' | 'scalar' | 'list' | 'none';

/**
 * The part of the atom that applies to this value. A value that matches none is treated as the first part, and fails
 * there.
 */
export function shapeOf(atom: Atom, value: Json | undefined): Shape {
  if (value !== undefined && value !== null) {
    if (Array.isArray(value)) {
      if (atom.list) return 'list';
    } else if (typeof value === 'object') {
      if (atom.map) return 'map';
    } else if (atom.scalar) return 'scalar';
  }
  return atom.map ? 'map' : atom.scalar ? 'scalar' : atom.list ? 'list' : 'none';
}

/** Values below a free-form list are owned together with the list. */
const UNTYPED: Atom = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], element: () => UNTYPED },
  map: { atomic: true, field: () => undefined, element: () => UNTYPED, freeForm: () => true },
};

/** Assumed without a schema: maps are owned field by field, lists as a whole. */
const DEDUCED: Atom = {
  scalar: 'untyped',
  list: { atomic: true, keys: [], element: () => UNTYPED },
  map: { atomic: false, field: () => undefined, element: () => DEDUCED, freeForm: () => true },
};

const NOTHING: Atom = {};
const STRING: Atom = { scalar: 'string' };
const SCALARS: Record<string, ScalarType> = { integer: 'numeric', number: 'numeric', boolean: 'boolean' };

const roots = new WeakMap<Schema, Atom>();

/** `atomOf` returns the atom of a kind's schema. */
export function atomOf(schema: Schema | undefined): Atom {
  if (schema === undefined) return DEDUCED;
  let atom = roots.get(schema);
  if (atom === undefined) {
    atom = new Compiler(schema).root();
    roots.set(schema, atom);
  }
  return atom;
}

class Compiler {
  readonly #root: Schema;
  /** Two caches: whether an outer schema preserves unknown fields is inherited by all inline schemas below it. */
  readonly #atoms = { strict: new WeakMap<Schema, Atom>(), preserving: new WeakMap<Schema, Atom>() };

  constructor(root: Schema) {
    this.#root = root;
  }

  root(): Atom {
    return this.#compile(this.#root, false, this.#envelope(this.#root));
  }

  #atom(schema: Schema, inherited: boolean): Atom {
    // A named Go type is compiled separately and inherits nothing.
    const preserve = inherited && schema['x-go-struct'] === undefined;
    const cache = preserve ? this.#atoms.preserving : this.#atoms.strict;
    let atom = cache.get(schema);
    if (atom === undefined) {
      atom = this.#compile(
        schema,
        preserve,
        schema['x-kubernetes-embedded-resource'] === true ? this.#envelope(schema) : undefined,
      );
      cache.set(schema, atom);
    }
    return atom;
  }

  /** The fields that every object has, even if its schema does not list them. */
  #envelope(schema: Schema): ReadonlyMap<string, FieldType> {
    const metadata = schema === this.#root ? schema.properties?.metadata : this.#root.properties?.metadata;
    return new Map([
      ['apiVersion', { atom: STRING, default: undefined }],
      ['kind', { atom: STRING, default: undefined }],
      ['metadata', { atom: metadata === undefined ? DEDUCED : this.#atom(metadata, false), default: undefined }],
    ]);
  }

  #compile(schema: Schema, inherited: boolean, envelope: ReadonlyMap<string, FieldType> | undefined): Atom {
    if (schema['x-go-struct'] === 'Quantity') return { scalar: 'untyped' };
    if (schema['x-go-struct'] === 'RawExtension') return UNTYPED;
    const preserve = inherited || schema['x-kubernetes-preserve-unknown-fields'] === true;
    switch (schema.type) {
      case undefined:
        if (schema.allOf?.length === 1 && schema.properties === undefined)
          return this.#override(schema, schema.allOf[0]!);
        return { scalar: 'untyped', list: this.#list(schema, preserve), map: this.#map(schema, preserve, envelope) };
      case 'object':
        return { map: this.#map(schema, preserve, envelope) };
      case 'array':
        return { list: this.#list(schema, preserve) };
      case 'string':
        return {
          scalar:
            schema.format === undefined || schema.format === '' || schema.format === 'byte' ? 'string' : 'untyped',
        };
      default:
        return { scalar: SCALARS[schema.type] ?? 'untyped' };
    }
  }

  /** A reference inside `allOf`, where the field can override whether its type is atomic. */
  #override(outer: Schema, target: Schema): Atom {
    const atom = this.#atom(target, false);
    const mapType = outer['x-kubernetes-map-type'];
    if (mapType === undefined || atom.map === undefined) return atom;
    const { map } = atom;
    return {
      ...atom,
      map: {
        atomic: mapType === 'atomic',
        field: (name) => map.field(name),
        element: () => map.element(),
        freeForm: () => map.freeForm(),
      },
    };
  }

  #list(schema: Schema, preserve: boolean): ListAtom {
    const { items } = schema;
    return {
      ...relationship(schema),
      element: () => (items === undefined ? UNTYPED : this.#atom(items, preserve)),
    };
  }

  #map(schema: Schema, preserve: boolean, envelope: ReadonlyMap<string, FieldType> | undefined): MapAtom {
    const { properties, additionalProperties } = schema;
    const fields = new Map<string, FieldType>(envelope);
    const hasFields = envelope !== undefined || (properties !== undefined && Object.keys(properties).length > 0);
    const element = (): Atom | undefined => {
      if (isSchema(additionalProperties)) return this.#atom(additionalProperties, preserve);
      if (additionalProperties === undefined) return preserve || !hasFields ? DEDUCED : undefined;
      return additionalProperties ? DEDUCED : undefined;
    };
    return {
      atomic: schema['x-kubernetes-map-type'] === 'atomic',
      field: (name) => {
        const known = fields.get(name);
        if (known !== undefined) return known;
        if (properties === undefined || !Object.hasOwn(properties, name)) return undefined;
        const property = properties[name]!;
        const type = { atom: this.#atom(property, preserve), default: property.default };
        fields.set(name, type);
        return type;
      },
      element,
      freeForm: () => !hasFields && element()?.scalar === 'untyped',
    };
  }
}

const isSchema = (value: Schema | boolean | undefined): value is Schema => isObject(value as Json | undefined);

const LIST_TYPES = { set: false, map: false, atomic: true };

/** `x-kubernetes-list-type` decides; without it, the strategic merge patch tags do. */
function relationship(schema: Schema): { atomic: boolean; keys: readonly string[] } {
  const type = schema['x-kubernetes-list-type'];
  if (type !== undefined) {
    return { atomic: LIST_TYPES[type], keys: type === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [] };
  }
  const strategy = schema['x-kubernetes-patch-strategy'];
  if (strategy !== 'merge' && strategy !== 'merge,retainKeys') return { atomic: true, keys: [] };
  const mergeKey = schema['x-kubernetes-patch-merge-key'];
  return { atomic: false, keys: mergeKey === undefined ? [] : [mergeKey] };
}

/** The type of the value with this name in a map; an atom without parts when the schema does not allow the name. */
export function fieldAtom(map: MapAtom, name: string): Atom {
  return map.field(name)?.atom ?? map.element() ?? NOTHING;
}
