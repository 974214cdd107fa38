/**
 * The OpenAPI v2 document in gnostic's protobuf messages (openapi.v2.Document), the encoding that kubectl requests. The
 * numbers are the fields of OpenAPIv2.proto. Only fields that our documents use are written.
 */
import { isObject } from '../../values/json.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

export function openApiV2Protobuf(document: JsonObject): Buffer {
  const writer = new ProtobufWriter();
  writer.string(1, text(document['swagger']));
  const info = object(document['info']);
  writer.message(2, (message) => {
    message.string(1, text(info['title']));
    message.string(2, text(info['version']));
  });
  writer.message(8, (paths) => named(paths, 2, object(document['paths']), writePathItem));
  writer.message(9, (definitions) => named(definitions, 1, object(document['definitions']), writeSchema));
  for (const requirement of list(document['security'])) {
    writer.message(12, (message) => named(message, 1, object(requirement), () => undefined));
  }
  writer.message(13, (message) =>
    named(message, 1, object(document['securityDefinitions']), (item, value) => item.message(2, apiKey(value))),
  );
  return writer.finish();
}

type Write = (writer: ProtobufWriter, value: JsonObject) => void;

/** A map, as a list of messages with a name (1) and a value (2). */
function named(writer: ProtobufWriter, field: number, entries: JsonObject, write: Write): void {
  for (const [name, value] of Object.entries(entries)) {
    writer.message(field, (entry) => {
      entry.string(1, name);
      entry.message(2, (message) => write(message, object(value)));
    });
  }
}

function apiKey(value: JsonObject): (writer: ProtobufWriter) => void {
  return (writer) => {
    writer.string(1, text(value['type']));
    writer.string(2, text(value['name']));
    writer.string(3, text(value['in']));
    writer.string(4, text(value['description']));
  };
}

const methods = { get: 2, put: 3, post: 4, delete: 5, patch: 8 } as const;

function writePathItem(writer: ProtobufWriter, item: JsonObject): void {
  for (const [method, field] of Object.entries(methods)) {
    const operation = item[method];
    if (isObject(operation)) writer.message(field, (message) => writeOperation(message, operation));
  }
  for (const parameter of list(item['parameters'])) writer.message(9, writeParameter(object(parameter)));
}

function writeOperation(writer: ProtobufWriter, operation: JsonObject): void {
  writer.strings(1, texts(operation['tags']));
  writer.string(3, text(operation['description']));
  writer.string(5, text(operation['operationId']));
  writer.strings(6, texts(operation['produces']));
  for (const parameter of list(operation['parameters'])) writer.message(8, writeParameter(object(parameter)));
  writer.message(9, (responses) =>
    named(responses, 1, object(operation['responses']), (value, response) =>
      value.message(1, (message) => writeResponse(message, response)),
    ),
  );
  writer.strings(10, texts(operation['schemes']));
  writeExtensions(writer, 13, operation);
}

function writeResponse(writer: ProtobufWriter, response: JsonObject): void {
  writer.string(1, text(response['description']));
  const schema = response['schema'];
  if (isObject(schema)) writer.message(2, (item) => item.message(1, (message) => writeSchema(message, schema)));
}

/** ParametersItem → Parameter → body, or non-body → query or path. */
function writeParameter(parameter: JsonObject): (writer: ProtobufWriter) => void {
  const place = text(parameter['in']);
  if (place === 'body') {
    return (item) => item.message(1, (outer) => outer.message(1, (body) => writeBody(body, parameter)));
  }
  const isPath = place === 'path';
  return (item) =>
    item.message(1, (outer) =>
      outer.message(2, (other) =>
        other.message(isPath ? 4 : 3, (message) => {
          message.bool(1, parameter['required'] === true);
          message.string(2, place);
          message.string(4, text(parameter['name']));
          message.string(isPath ? 5 : 6, text(parameter['type']));
          message.bool(isPath ? 19 : 20, parameter['uniqueItems'] === true);
        }),
      ),
    );
}

function writeBody(writer: ProtobufWriter, parameter: JsonObject): void {
  writer.string(2, text(parameter['name']));
  writer.string(3, 'body');
  writer.bool(4, parameter['required'] === true);
  writer.message(5, (message) => writeSchema(message, object(parameter['schema'])));
}

const schemaStrings = { $ref: 1, format: 2, title: 3, description: 4, pattern: 13 } as const;
const schemaDoubles = { multipleOf: 6, maximum: 7, minimum: 9 } as const;
const schemaIntegers = {
  maxLength: 11,
  minLength: 12,
  maxItems: 14,
  minItems: 15,
  maxProperties: 17,
  minProperties: 18,
} as const;
const schemaFlags = { exclusiveMaximum: 8, exclusiveMinimum: 10, uniqueItems: 16 } as const;

function writeSchema(writer: ProtobufWriter, schema: JsonObject): void {
  for (const [key, field] of Object.entries(schemaStrings)) writer.string(field, text(schema[key]));
  for (const [key, field] of Object.entries(schemaDoubles)) writer.double(field, number(schema[key]));
  for (const [key, field] of Object.entries(schemaIntegers)) writer.int64(field, number(schema[key]));
  for (const [key, field] of Object.entries(schemaFlags)) writer.bool(field, schema[key] === true);
  writer.strings(19, texts(schema['required']));
  for (const value of list(schema['enum'])) writer.message(20, any(value));
  const { type, items, properties, additionalProperties: values, example, externalDocs } = schema;
  if (isObject(values)) writer.message(21, (item) => item.message(1, (message) => writeSchema(message, values)));
  else if (typeof values === 'boolean') writer.message(21, (item) => item.bool(2, values));
  if (typeof type === 'string') writer.message(22, (item) => item.string(1, type));
  if (isObject(items)) writer.message(23, (item) => item.message(1, (message) => writeSchema(message, items)));
  if (isObject(properties)) writer.message(25, (message) => named(message, 1, properties, writeSchema));
  if (isObject(externalDocs)) {
    writer.message(29, (message) => {
      message.string(1, text(externalDocs['description']));
      message.string(2, text(externalDocs['url']));
    });
  }
  if (example !== undefined) writer.message(30, any(example));
  writeExtensions(writer, 31, schema);
}

function writeExtensions(writer: ProtobufWriter, field: number, holder: JsonObject): void {
  for (const [name, value] of Object.entries(holder)) {
    if (!name.startsWith('x-')) continue;
    writer.message(field, (entry) => {
      entry.string(1, name);
      entry.message(2, any(value));
    });
  }
}

/** Any value is sent as YAML text, and JSON is YAML. */
function any(value: Json | undefined): (writer: ProtobufWriter) => void {
  return (writer) => writer.string(2, `${JSON.stringify(value ?? null)}\n`);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function number(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}

function texts(value: Json | undefined): string[] {
  return list(value).map(text);
}

function list(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function object(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
