/**
 * Objects that clients send in Kubernetes' protobuf encoding, as kubectl does for built-in kinds: turned into the JSON that they
 * stand for. The numbers of the fields come with the built-in schemas. Answers are always JSON, which such clients accept too.
 */
import type { Json, JsonObject } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import { ProtobufError, readFields } from './wire.ts';

export const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const MAGIC = Buffer.from('k8s\0');

export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Buffer;
}

/** The wrapper that says what is inside. */
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
  // Overlaid copies of a definition share its properties, so the plan is kept by those.
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

export function decodeMessage(bytes: Buffer, schema: Schema): JsonObject {
  const object: JsonObject = {};
  readInto(object, bytes, planOf(schema));
  return object;
}

function readInto(object: JsonObject, bytes: Buffer, plan: Plan): void {
  for (const { number, value } of readFields(bytes)) {
    const field = plan.get(number);
    if (field === undefined) continue;
    if (field instanceof Map) {
      if (Buffer.isBuffer(value)) readInto(object, value, field);
      continue;
    }
    const { name, schema } = field;
    if (isMap(schema)) object[name] = { ...(object[name] as JsonObject | undefined), ...mapEntry(value, schema) };
    else if (isRepeated(schema))
      object[name] = [...((object[name] as Json[] | undefined) ?? []), ...items(value, schema.items as Schema)];
    else object[name] = single(value, schema);
  }
}

const isMap = (schema: Schema): boolean => schema.type === 'object' && typeof schema.additionalProperties === 'object';
const isRepeated = (schema: Schema): boolean => schema.type === 'array' && schema.items !== undefined;

function mapEntry(value: bigint | Buffer, schema: Schema): JsonObject {
  let key = '';
  let item: Json | undefined;
  const of = schema.additionalProperties as Schema;
  for (const field of readFields(bytesOf(value))) {
    if (field.number === 1) key = String(field.value);
    // A list as the value of a map is a message with the list in its first field.
    else
      item = isRepeated(of)
        ? [...readFields(bytesOf(field.value))].map((inner) => single(inner.value, of.items as Schema))
        : single(field.value, of);
  }
  return { [key]: item ?? zero(of) };
}

function zero(schema: Schema): Json {
  if (isRepeated(schema)) return [];
  return schema.type === 'string' ? '' : schema.type === 'object' ? {} : 0;
}

/** Numbers of a list may come one by one or packed together. */
function items(value: bigint | Buffer, schema: Schema): Json[] {
  if (!Buffer.isBuffer(value) || (schema.type !== 'integer' && schema.type !== 'boolean'))
    return [single(value, schema)];
  const numbers: Json[] = [];
  let current = 0n;
  let shift = 0n;
  for (const byte of value) {
    current |= BigInt(byte & 0x7f) << shift;
    shift += 7n;
    if (byte >= 0x80) continue;
    numbers.push(single(current, schema));
    current = 0n;
    shift = 0n;
  }
  return numbers;
}

function bytesOf(value: bigint | Buffer): Buffer {
  if (!Buffer.isBuffer(value)) throw new ProtobufError('proto: wrong wireType');
  return value;
}

function single(value: bigint | Buffer, schema: Schema): Json {
  const special = SPECIAL[schema['x-go-struct'] ?? ''];
  if (special !== undefined) return special(bytesOf(value));
  switch (schema.type) {
    case 'integer':
      return Number(BigInt.asIntN(64, value as bigint));
    case 'boolean':
      return value !== 0n;
    case 'number': {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64LE(value as bigint);
      return bytes.readDoubleLE();
    }
    case 'string':
      return bytesOf(value).toString(schema.format === 'byte' ? 'base64' : 'utf8');
    default:
      return decodeMessage(bytesOf(value), schema);
  }
}

/** Types whose JSON is not the message's fields. */
const SPECIAL: Readonly<Record<string, (bytes: Buffer) => Json>> = {
  Time: (bytes) => time(bytes, 0),
  MicroTime: (bytes) => time(bytes, 6),
  Quantity: (bytes) => textField(bytes),
  Duration: (bytes) => `${Number(numberField(bytes, 1)) / 1e9}s`,
  RawExtension: (bytes) => JSON.parse(textField(bytes) || 'null') as Json,
  FieldsV1: (bytes) => JSON.parse(textField(bytes) || '{}') as Json,
  JSON: (bytes) => JSON.parse(textField(bytes) || 'null') as Json,
  IntOrString: (bytes) =>
    numberField(bytes, 1) === 1n ? textField(bytes, 3) : Number(BigInt.asIntN(64, numberField(bytes, 2))),
};

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
  // An absent time is written as an empty message.
  if (bytes.length === 0) return null;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return digits === 0 ? `${whole}Z` : `${whole}.${String(nanos).padStart(9, '0').slice(0, digits)}Z`;
}
