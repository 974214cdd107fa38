/** Codecs of values without fields, and of types with their own JSON decoder. */
import type { Json } from '../../../values/json.ts';
import { isObject } from '../../../values/json.ts';
import { jsonKind } from '../../schema/go/go-json-kind.ts';
import { MICRO_TIME, readTime, TIME, TimeError } from '../../schema/go/go-time.ts';
import type { TimeLayout } from '../../schema/go/go-time.ts';
import { formatQuantity, parseQuantity, quantityError } from '../../schema/quantity.ts';
import type { Schema } from '../../schema/schema.ts';
import { readBase64 } from './go-base64.ts';
import { refuseType, wrongType } from './reading.ts';
import type { Codec, Reading } from './reading.ts';

type Read = Codec['read'];

const codec = (read: Read, zero: Json, isEmpty: (value: Json) => boolean = () => false): Codec => ({
  read,
  zero: () => zero,
  isEmpty,
});

export function scalarCodec(schema: Schema, goType: string): Codec {
  switch (schema.type) {
    case 'string':
      return schema.format === 'byte' ? bytes() : text(goType);
    case 'boolean':
      return flag(goType);
    case 'integer':
      return integer(schema.format ?? 'int64', goType);
    case 'number':
      return float(goType);
    default:
      return raw;
  }
}

const text = (goType: string): Codec =>
  codec(
    (value, reading) => (typeof value === 'string' ? value : wrongType(reading, jsonKind(value), goType)),
    '',
    (value) => value === '',
  );

const flag = (goType: string): Codec =>
  codec(
    (value, reading) => (typeof value === 'boolean' ? value : wrongType(reading, jsonKind(value), goType)),
    false,
    (value) => value === false,
  );

const LIMITS: { readonly [format: string]: number } = { int32: 2 ** 31, int64: 2 ** 63 };

function isInteger(value: number, format: string): boolean {
  const limit = LIMITS[format] ?? 2 ** 63;
  // 2^63 - 1 is not a double: a value of 2^63 may have been 2^63 - 1.
  return Number.isInteger(value) && value >= -limit && (format === 'int32' ? value < limit : value <= limit);
}

const integer = (format: string, goType: string): Codec =>
  codec(
    (value, reading) => {
      if (typeof value !== 'number') return wrongType(reading, jsonKind(value), goType);
      return isInteger(value, format) ? value : wrongType(reading, `number ${value}`, goType);
    },
    0,
    (value) => value === 0,
  );

const float = (goType: string): Codec =>
  codec(
    (value, reading) => (typeof value === 'number' ? value : wrongType(reading, jsonKind(value), goType)),
    0,
    (value) => value === 0,
  );

/** An error in base64 does not end decoding, but unlike a type error it has no path. */
const bytes = (): Codec =>
  codec(
    (value, reading) => {
      if (Array.isArray(value)) return byteList(value, reading);
      if (typeof value !== 'string') return wrongType(reading, jsonKind(value), '[]uint8');
      const read = readBase64(value);
      if (typeof read === 'string') return read;
      reading.typeError ??= `illegal base64 data at input byte ${read}`;
      return undefined;
    },
    '',
    (value) => value === '',
  );

/** Go also decodes bytes from a list of numbers. */
function byteList(values: Json[], reading: Reading): string {
  const bytes = values.map((value) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 255) return value;
    wrongType(reading, typeof value === 'number' ? `number ${value}` : jsonKind(value), 'uint8');
    return 0;
  });
  return Buffer.from(bytes).toString('base64');
}

/** Free-form JSON: RawExtension, FieldsV1, JSON. */
const raw: Codec = codec((value) => value, null);

/** `specialCodec` returns the types with their own UnmarshalJSON, by struct name. */
export function specialCodec(schema: Schema, props: () => Codec): Codec | undefined {
  switch (schema['x-go-struct']) {
    case 'Quantity':
      return quantity;
    case 'Time':
      return time(TIME);
    case 'MicroTime':
      return time(MICRO_TIME);
    case 'IntOrString':
      return intOrString;
    case 'RawExtension':
    case 'FieldsV1':
    case 'JSON':
      return raw;
    case 'JSONSchemaPropsOrBool':
      return codec((value, reading) => {
        if (typeof value === 'boolean') return value;
        return isObject(value) ? readProps(props(), value, reading) : reading.refuse('boolean or JSON schema expected');
      }, false);
    case 'JSONSchemaPropsOrArray':
      return codec((value, reading) => {
        if (isObject(value)) return readProps(props(), value, reading);
        // Go would keep an explicit null here, which means the same as no value.
        if (!Array.isArray(value) || value.length === 0) return undefined;
        return value.map((item) => {
          if (item !== null && !isObject(item)) return refuseType(reading, jsonKind(item), 'v1.JSONSchemaProps');
          return readProps(props(), item ?? {}, reading) ?? {};
        });
      }, null);
    case 'JSONSchemaPropsOrStringArray':
      return codec((value, reading) => {
        if (isObject(value)) return readProps(props(), value, reading);
        if (!Array.isArray(value) || value.length === 0) return null;
        return value.map((item) => (isObject(item) ? (readProps(props(), item, reading) ?? {}) : item));
      }, null);
    default:
      return undefined;
  }
}

/** These types call a separate decoder, which is not strict. */
function readProps(props: Codec, value: Json, reading: Reading): Json | undefined {
  return props.read(value, { ...reading, unknown: undefined });
}

const canonical = new Map<string, string>();
const MAX_CANONICAL = 4096;

/** Cached, because most quantities repeat. */
const quantity: Codec = codec((value, reading) => {
  const written = typeof value === 'string' ? value.trim() : JSON.stringify(value);
  const known = canonical.get(written);
  if (known !== undefined) return known;
  const parsed = parseQuantity(written);
  if (parsed === undefined) return reading.refuse(quantityError(written) ?? '');
  const text = formatQuantity(parsed);
  if (canonical.size >= MAX_CANONICAL) canonical.clear();
  canonical.set(written, text);
  return text;
}, '0');

const time = (layout: TimeLayout): Codec =>
  codec((value, reading) => {
    if (typeof value !== 'string') return refuseType(reading, jsonKind(value), 'string');
    try {
      return readTime(value, layout);
    } catch (error) {
      if (error instanceof TimeError) return reading.refuse(error.message);
      throw error;
    }
  }, null);

const intOrString: Codec = codec((value, reading) => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return refuseType(reading, jsonKind(value), 'int32');
  return isInteger(value, 'int32') ? value : refuseType(reading, `number ${value}`, 'int32');
}, 0);
