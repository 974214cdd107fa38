/** One codec per Go type, created from the schema on first use. decode.ts describes what codecs do. */
import type { Json, JsonObject } from '../../../values/json.ts';
import { isObject } from '../../../values/json.ts';
import { jsonKind } from '../../schema/go/go-json-kind.ts';
import type { Schema } from '../../schema/schema.ts';
import { embeddedStruct } from '../embedded.ts';
import { strictPath, wrongType } from './reading.ts';
import type { Codec, Field, Reading } from './reading.ts';
import { scalarCodec, specialCodec } from './scalars.ts';

const structs = new WeakMap<object, Codec>();
const others = new WeakMap<Schema, Map<string, Codec>>();

/**
 * The codec of a struct, list, map or scalar; `goType` is its name in Go's error texts when the schema does not
 * determine it.
 */
export function codecOf(schema: Schema, goType = ''): Codec {
  const key = schema.properties;
  const known = key === undefined ? others.get(schema)?.get(goType) : structs.get(key);
  if (known !== undefined) return known;
  if (key === undefined) {
    const codec = makeCodec(schema, goType);
    const byType = others.get(schema) ?? new Map<string, Codec>();
    others.set(schema, byType.set(goType, codec));
    return codec;
  }
  // Registered before its fields are created, because a struct may contain itself.
  const codec = new StructCodec(schema['x-go-struct'] ?? '');
  structs.set(key, codec);
  codec.setFields(key);
  return codec;
}

function makeCodec(schema: Schema, goType: string): Codec {
  const special = specialCodec(schema, propsCodec);
  if (special !== undefined) return special;
  if (schema.type === 'array' && schema.items !== undefined) {
    return new ListCodec(codecOf(schema.items, elementType(goType, schema.items)), goType);
  }
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object') {
    const values = schema.additionalProperties;
    return new MapCodec(codecOf(values, elementType(goType, values)), goType);
  }
  if (schema['x-go-struct'] !== undefined) return emptyStruct(schema['x-go-struct'], goType);
  return scalarCodec(schema, goType);
}

function emptyStruct(name: string, goType: string): Codec {
  const codec = new StructCodec(name, goType);
  codec.setFields({});
  return codec;
}

/** JSONSchemaPropsOrArray and similar types decode schemas, but their own schema does not refer to JSONSchemaProps. */
let props: Schema | undefined;
export function registerJsonSchemaProps(schema: Schema): void {
  props = schema;
}
function propsCodec(): Codec {
  if (props === undefined) throw new Error('the definition of JSONSchemaProps is not loaded');
  return codecOf(props, 'v1.JSONSchemaProps');
}

const ELEMENT = /^(?:\[\]|map\[[^\]]*\])(.*)$/;

function elementType(goType: string, schema: Schema): string {
  const element = ELEMENT.exec(goType)?.[1];
  if (element !== undefined) return element;
  if (schema['x-go-struct'] !== undefined) return `v1.${schema['x-go-struct']}`;
  return schema.type === 'integer' ? (schema.format ?? 'int64') : (schema.type ?? '');
}

class StructCodec implements Codec {
  private readonly goType: string;
  private readonly name: string;
  private readonly fields = new Map<string, Field>();
  private always: readonly Field[] = [];

  constructor(name: string, goType = `v1.${name}`) {
    this.name = name;
    this.goType = goType;
  }

  setFields(properties: { [name: string]: Schema }): void {
    for (const [name, schema] of Object.entries(properties)) this.fields.set(name, makeField(this.name, name, schema));
    this.always = [...this.fields.values()].filter((field) => field.always);
  }

  read(value: Json, reading: Reading): Json | undefined {
    if (!isObject(value)) return wrongType(reading, jsonKind(value), this.goType);
    const out: JsonObject = {};
    for (const key in value) {
      const field = this.fields.get(key);
      if (field === undefined) {
        reading.unknown?.push(strictPath(reading.stack, key));
        continue;
      }
      const given = value[key];
      if (given === null || given === undefined) continue;
      reading.stack.push(field);
      const read = field.codec.read(given, reading);
      reading.stack.pop();
      if (read !== undefined && !(field.dropEmpty && field.codec.isEmpty(read))) out[key] = read;
    }
    for (const field of this.always) if (out[field.name] === undefined) out[field.name] = field.zero();
    return out;
  }

  zero(): Json {
    const out: JsonObject = {};
    for (const field of this.always) out[field.name] = field.zero();
    return out;
  }

  isEmpty(): boolean {
    return false;
  }
}

function makeField(owner: string, name: string, schema: Schema): Field {
  const go = schema['x-go'] ?? { type: '' };
  const pointer = go.pointer === true;
  const codec = codecOf(schema, go.type);
  const isStruct = schema['x-go-struct'] !== undefined;
  const omit = go.omitempty === true;
  return {
    name,
    owner,
    embedded: embeddedStruct(owner, name),
    codec,
    dropEmpty: !pointer && omit,
    // In Go a struct is never empty, so only omitzero, not omitempty, omits it.
    always: (!omit || (isStruct && !pointer)) && go.omitzero !== true,
    zero: () => (pointer ? null : codec.zero()),
  };
}

/** A client's key may be `__proto__`; an assignment would set the prototype. */
function put(out: JsonObject, key: string, value: Json): void {
  if (key === '__proto__')
    Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true });
  else out[key] = value;
}

/** Empty lists and maps become nil in protobuf storage: they are omitted, or null without omitempty. */
class ListCodec implements Codec {
  private readonly element: Codec;
  private readonly goType: string;

  constructor(element: Codec, goType: string) {
    this.element = element;
    this.goType = goType;
  }

  read(value: Json, reading: Reading): Json | undefined {
    if (!Array.isArray(value)) return wrongType(reading, jsonKind(value), this.goType);
    if (value.length === 0) return undefined;
    const out: Json[] = [];
    for (let i = 0; i < value.length; i += 1) {
      const item = value[i];
      reading.stack.push(i);
      const read = item === null || item === undefined ? undefined : this.element.read(item, reading);
      reading.stack.pop();
      out.push(read ?? this.element.zero());
    }
    return out;
  }

  zero(): Json {
    return null;
  }

  isEmpty(value: Json): boolean {
    return Array.isArray(value) && value.length === 0;
  }
}

class MapCodec implements Codec {
  private readonly element: Codec;
  private readonly goType: string;

  constructor(element: Codec, goType: string) {
    this.element = element;
    this.goType = goType;
  }

  read(value: Json, reading: Reading): Json | undefined {
    if (!isObject(value)) return wrongType(reading, jsonKind(value), this.goType);
    let out: JsonObject | undefined;
    for (const key in value) {
      const item = value[key];
      reading.stack.push(key);
      const read = item === null || item === undefined ? undefined : this.element.read(item, reading);
      reading.stack.pop();
      out ??= {};
      put(out, key, read ?? this.element.zero());
    }
    return out;
  }

  zero(): Json {
    return null;
  }

  isEmpty(): boolean {
    return false;
  }
}
