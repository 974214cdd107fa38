/**
 * Decodes objects in Kubernetes' protobuf encoding, which kubectl sends for built-in kinds, to JSON. The field numbers
 * are in the built-in schemas. Answers are always JSON, which such clients also accept.
 */
import { MAX_DEPTH, parseShallow } from '../../values/depth.ts';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { goJsonError } from '../../objects/schema/go/go-json-error.ts';
import type { Schema } from '../../objects/schema/schema.ts';
import { ProtobufError, readFields, readPacked, type WireField } from './wire.ts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const MAGIC = Buffer.from('k8s\0');

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

/** `readEnvelope` returns the envelope that contains the object's type. */
export function readEnvelope(bytes: Buffer): Envelope {
  if (!bytes.subarray(0, 4).equals(MAGIC))
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  let apiVersion = '';
  let kind = '';
  let raw = Buffer.alloc(0);
  for (const { number, value } of readFields(bytes.subarray(4))) {
    if (!Buffer.isBuffer(value)) continue;
    if (number === 2) raw = Buffer.from(value);
    if (number !== 1) continue;
    for (const field of readFields(value)) {
      if (field.number === 1) apiVersion = String(field.value);
      if (field.number === 2) kind = String(field.value);
    }
  }
  return { apiVersion, kind, raw };
}

type Plan = Map<number, { readonly name: string; readonly schema: Schema } | Plan>;
const plans = new WeakMap<object, Plan>();

function planOf(schema: Schema): Plan {
  // Overlaid copies of a definition share its properties, so plans are cached by properties.
  const { properties } = schema;
  if (properties === undefined) return new Map();
  const known = plans.get(properties);
  if (known !== undefined) return known;
  const plan: Plan = new Map();
  for (const [name, property] of Object.entries(properties)) {
    const way = property['x-go']?.protobuf;
    if (way !== undefined) place(plan, way, { name, schema: property });
  }
  plans.set(properties, plan);
  return plan;
}

function place(plan: Plan, [first, ...rest]: readonly number[], field: { name: string; schema: Schema }): void {
  if (first === undefined) return;
  if (rest.length === 0) {
    plan.set(first, field);
    return;
  }
  const below = plan.get(first);
  const inner: Plan = below instanceof Map ? below : new Map();
  plan.set(first, inner);
  place(inner, rest, field);
}

export function decodeMessage(bytes: Buffer, schema: Schema, depth = 1): JsonObject {
  if (depth > MAX_DEPTH) throw new ProtobufError('exceeded max depth');
  const object: JsonObject = {};
  readInto(object, bytes, planOf(schema), depth);
  return object;
}

function readInto(object: JsonObject, bytes: Buffer, plan: Plan, depth: number): void {
  for (const wire of readFields(bytes)) {
    const field = plan.get(wire.number);
    if (field === undefined) continue;
    if (field instanceof Map) {
      if (Buffer.isBuffer(wire.value)) readInto(object, wire.value, field, depth);
      continue;
    }
    const { name, schema } = field;
    checkWireType(wire, name, schema);
    if (isMap(schema)) setMapEntry(mapAt(object, name), wire.value, schema, depth);
    else if (isRepeated(schema)) {
      const list = listAt(object, name);
      for (const item of items(wire.value, schema.items as Schema, depth)) list.push(item);
    } else object[name] = single(wire.value, schema, depth);
  }
}

function mapAt(object: JsonObject, name: string): JsonObject {
  const known = object[name];
  return isObject(known) ? known : (object[name] = {});
}

function listAt(object: JsonObject, name: string): Json[] {
  const known = object[name];
  return Array.isArray(known) ? known : (object[name] = []);
}

/** A list of numbers may be packed into one length-delimited field; everything else has only one form. */
function checkWireType({ wireType }: WireField, name: string, schema: Schema): void {
  const of = isRepeated(schema) ? (schema.items as Schema) : schema;
  const isNumber = SPECIAL[of['x-go-struct'] ?? ''] === undefined && NUMBER_TYPES[of.type ?? ''] !== undefined;
  const fits = isNumber
    ? wireType === NUMBER_TYPES[of.type ?? ''] || (of !== schema && wireType === 2)
    : wireType === 2;
  if (fits) return;
  const field = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${field}`);
}

const NUMBER_TYPES: { readonly [type: string]: number | undefined } = { integer: 0, boolean: 0, number: 1 };

const isMap = (schema: Schema): boolean => schema.type === 'object' && typeof schema.additionalProperties === 'object';
const isRepeated = (schema: Schema): boolean => schema.type === 'array' && schema.items !== undefined;

function setMapEntry(map: JsonObject, value: bigint | Buffer, schema: Schema, depth: number): void {
  let key = '';
  let item: Json | undefined;
  const of = schema.additionalProperties as Schema;
  for (const field of readFields(bytesOf(value))) {
    if (field.number === 1) key = String(field.value);
    // A list as a map value is a message with the list in its first field.
    else if (isRepeated(of)) {
      const inner = [...readFields(bytesOf(field.value))];
      item = inner.map((one) => single(one.value, of.items as Schema, depth));
    } else item = single(field.value, of, depth);
  }
  // An assignment would set the prototype for the key __proto__.
  Object.defineProperty(map, key, { value: item ?? zero(of), enumerable: true, configurable: true, writable: true });
}

function zero(schema: Schema): Json {
  if (isRepeated(schema)) return [];
  return schema.type === 'string' ? '' : schema.type === 'object' ? {} : 0;
}

/** The numbers of a list may come one by one or packed. */
function items(value: bigint | Buffer, schema: Schema, depth: number): Json[] {
  if (!Buffer.isBuffer(value) || (schema.type !== 'integer' && schema.type !== 'boolean'))
    return [single(value, schema, depth)];
  return [...readPacked(value)].map((number) => single(number, schema, depth));
}

function bytesOf(value: bigint | Buffer): Buffer {
  if (!Buffer.isBuffer(value)) throw new ProtobufError('proto: wrong wireType');
  return value;
}

function numberOf(value: bigint | Buffer): bigint {
  if (Buffer.isBuffer(value)) throw new ProtobufError('proto: wrong wireType');
  return value;
}

function single(value: bigint | Buffer, schema: Schema, depth: number): Json {
  const special = SPECIAL[schema['x-go-struct'] ?? ''];
  if (special !== undefined) return special(bytesOf(value));
  switch (schema.type) {
    case 'integer':
      return Number(BigInt.asIntN(64, numberOf(value)));
    case 'boolean':
      return value !== 0n;
    case 'number': {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(numberOf(value));
      return bytes.readDoubleLE();
    }
    case 'string':
      return bytesOf(value).toString(schema.format === 'byte' ? 'base64' : 'utf8');
    default:
      return decodeMessage(bytesOf(value), schema, depth + 1);
  }
}

/** Types whose JSON form is not an object of the message's fields. */
const SPECIAL: Readonly<Record<string, (bytes: Buffer) => Json>> = {
  Time: (bytes) => time(bytes, 0),
  MicroTime: (bytes) => time(bytes, 6),
  Quantity: (bytes) => textField(bytes),
  Duration: (bytes) => `${Number(numberField(bytes, 1)) / 1e9}s`,
  RawExtension: (bytes) => json(textField(bytes) || 'null'),
  FieldsV1: (bytes) => json(textField(bytes) || '{}'),
  JSON: (bytes) => json(textField(bytes) || 'null'),
  IntOrString: (bytes) =>
    numberField(bytes, 1) === 1n ? textField(bytes, 3) : Number(BigInt.asIntN(64, numberField(bytes, 2))),
};

function json(text: string): Json {
  try {
    return parseShallow(text);
  } catch {
    throw new ProtobufError(goJsonError(text));
  }
}

function textField(bytes: Buffer, number = 1): string {
  for (const field of readFields(bytes)) if (field.number === number) return String(field.value);
  return '';
}

function numberField(bytes: Buffer, number: number): bigint {
  for (const field of readFields(bytes))
    if (field.number === number && typeof field.value === 'bigint') return field.value;
  return 0n;
}

function time(bytes: Buffer, digits: number): Json {
  const seconds = BigInt.asIntN(64, numberField(bytes, 1));
  const nanos = numberField(bytes, 2);
  // An absent time is encoded as an empty message.
  if (bytes.length === 0) return null;
  const date = new Date(Number(seconds) * 1000);
  // Go also requires a year of four digits for JSON.
  if (!/^\d{4}-/.test(Number.isNaN(date.getTime()) ? '' : date.toISOString()))
    throw new ProtobufError('Time.MarshalJSON: year outside of range [0,9999]');
  const whole = date.toISOString().slice(0, 19);
  return digits === 0 ? `${whole}Z` : `${whole}.${String(nanos).padStart(9, '0').slice(0, digits)}Z`;
}
