/**
 * Reads request bodies within the server's limit and decodes them by content type, with kube-apiserver's error texts.
 */
import type { IncomingMessage } from 'node:http';
import { YAMLParseError } from 'yaml';
import { parseShallow } from '../../../values/depth.ts';
import { isObject, type Json, type JsonObject } from '../../../values/json.ts';
import { decodeMessage, PROTOBUF, readEnvelope } from '../../protobuf/decode.ts';
import { ProtobufError } from '../../protobuf/wire.ts';
import { decodeObjectMeta } from '../../../objects/schema/decode-meta.ts';
import { goJsonError } from '../../../objects/schema/go/go-json-error.ts';
import type { Schema } from '../../../objects/schema/schema.ts';
import { parseYaml } from '../../../values/yaml.ts';
import { builtinResources } from '../../../objects/kinds/builtin.ts';
import { acceptedMediaTypes } from './negotiate.ts';
import { apiVersionOf, groupOf } from '../resource.ts';
import { errors, StatusError } from '../status.ts';

/** kube-apiserver's limit for a request body. */
export const MAX_BODY = 3 * 1024 * 1024;

export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const gone = (): void => reject(new Error('the client broke off'));
    if (request.destroyed) gone();
    // Iterating over the request would destroy it on early exit, and the rest of its body would block the connection.
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY) chunks.push(chunk);
      else if (size - chunk.length <= MAX_BODY) reject(errors.tooLarge(`limit is ${MAX_BODY}`));
    });
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', gone);
  });
}

export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

export interface Body {
  readonly raw: JsonObject;
  /** The body as the client wrote it; empty for protobuf. */
  readonly text: string;
  readonly yaml: boolean;
}

/**
 * Decodes a request's body to JSON. `schema` is the kind's schema, which protobuf needs; custom resources have no
 * protobuf form.
 */
export function decodeBody(request: IncomingMessage, body: Buffer, schema: Schema | undefined): Body {
  refuseUnknownFormat(request);
  const type = mediaType(request);
  if (type === PROTOBUF && schema !== undefined) return { raw: decodeProtobuf(body, schema), text: '', yaml: false };
  const text = body.toString('utf8');
  if (type === '' || type === 'application/json')
    return { raw: decodeJson(text, schema !== undefined), text, yaml: false };
  if (type === 'application/yaml') return { raw: decodeYaml(text), text, yaml: true };
  throw unknownFormat();
}

/** `refuseUnknownFormat` returns the server checks this before it reads the body or the options. */
export function refuseUnknownFormat(request: IncomingMessage): void {
  const given = request.headers['content-type'] ?? '';
  const known = mediaType(request) === '' ? given === '' : acceptedMediaTypes(false).includes(mediaType(request));
  if (!known) throw unknownFormat();
}

function unknownFormat(): StatusError {
  return errors.unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${acceptedMediaTypes(false).join(', ')}`,
  );
}

function decodeProtobuf(body: Buffer, schema: Schema): JsonObject {
  try {
    const { apiVersion, kind, raw } = readEnvelope(body);
    return { apiVersion, kind, ...decodeMessage(raw, schema) };
  } catch (error) {
    if (error instanceof ProtobufError) throw new UnrecognizedBody(error.message);
    throw error;
  }
}

function decodeJson(text: string, typed: boolean): JsonObject {
  let value: Json;
  try {
    value = parseShallow(text);
  } catch {
    throw new UnrecognizedBody(`couldn't get version/kind; json parse error: ${goJsonError(text)}`);
  }
  // Go decodes null into an empty struct or into a nil map.
  if (value === null && typed) return {};
  if (value === null) throw new UnrecognizedBody("Object 'Kind' is missing in 'null'");
  if (!isObject(value)) throw new UnrecognizedBody(cannotFind(goKind(value)));
  return value;
}

const cannotFind = (kind: string): string =>
  `couldn't get version/kind; json parse error: json: cannot unmarshal ${kind} into Go value of type ` +
  String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

/** The body does not contain its kind. The handler adds the expected kind to the message. */
export class UnrecognizedBody extends Error {}

export function unrecognized(error: UnrecognizedBody, kind: string, body: Buffer): StatusError {
  return errors.badRequest(
    `the object provided is unrecognized (must be of type ${kind}): ${error.message} (${summary(body)})`,
  );
}

/** The beginning of a body: as text if it starts like JSON, otherwise in hex. */
function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const encoding = body[0] === 0x7b ? 'utf8' : 'hex';
  return body.length > 30 ? `${body.subarray(0, 30).toString(encoding)} ...` : body.toString(encoding);
}

export function decodeYaml(text: string): JsonObject {
  let value: Json;
  try {
    value = parseYaml(text);
  } catch (cause) {
    throw new UnrecognizedBody(goYamlError(cause));
  }
  if (!isObject(value)) throw new UnrecognizedBody(`Object 'Kind' is missing in '${JSON.stringify(value ?? null)}'`);
  return value;
}

/** `goYamlError` returns the error text of go-yaml, as far as the errors of the two parsers correspond. */
export function goYamlError(cause: unknown): string {
  if (!(cause instanceof YAMLParseError)) return `yaml: ${cause instanceof Error ? cause.message : String(cause)}`;
  const line = cause.linePos?.[0].line ?? 1;
  // The scanner counts lines from zero and omits the number of line zero.
  if (cause.code === 'MISSING_CHAR' && cause.message.includes('quote'))
    return `yaml: ${line > 1 ? `line ${line}: ` : ''}found unexpected end of stream`;
  const what = {
    BAD_INDENT: 'did not find expected node content',
    MISSING_CHAR: 'did not find expected node content',
    BAD_ALIAS: 'unknown anchor referenced',
    TAB_AS_INDENT: 'found character that cannot start any token',
    MULTILINE_IMPLICIT_KEY: 'mapping values are not allowed in this context',
    BLOCK_AS_IMPLICIT_KEY: 'mapping values are not allowed in this context',
  }[cause.code as string];
  return `yaml: line ${line}: ${what ?? cause.message.split(' at line')[0]}`;
}

export function goKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

/** Kind and apiVersion must be strings, whatever else is wrong with them. */
export function checkTypeText(raw: JsonObject): void {
  for (const key of ['apiVersion', 'kind'] as const) {
    const value = raw[key] ?? '';
    if (typeof value !== 'string') {
      throw new UnrecognizedBody(
        `couldn't get version/kind; json parse error: json: cannot unmarshal ${goKind(value)} into Go struct field .${key} of type string`,
      );
    }
  }
}

function otherVersion(given: string, expected: string): StatusError {
  return errors.badRequest(
    `the API version in the data (${given}) does not match the expected API version (${expected})`,
  );
}

/** `checkTypeMeta` fills in kind and apiVersion of a body, or throws when they do not match the endpoint. */
export function checkTypeMeta(raw: JsonObject, expected: { apiVersion: string; kind: string; custom?: boolean }): void {
  if (expected.custom === true) {
    if ((raw['kind'] ?? '') === '') throw new UnrecognizedBody(`Object 'Kind' is missing in '${JSON.stringify(raw)}'`);
    if ((raw['apiVersion'] ?? '') === '') throw otherVersion('', expected.apiVersion);
  }
  for (const key of ['apiVersion', 'kind'] as const) {
    const value = raw[key];
    if (value === undefined || value === null || value === '') raw[key] = expected[key];
  }
  checkTypeText(raw);
  const kind = String(raw['kind']);
  const apiVersion = String(raw['apiVersion']);
  if (apiVersion.split('/').length > 2) throw new UnrecognizedBody(`unexpected GroupVersion string: ${apiVersion}`);
  if (expected.custom === true) {
    const meta = decodeObjectMeta(raw['metadata'] ?? null);
    if (meta.error !== undefined)
      throw errors.badRequest(
        `${kind} in version ${JSON.stringify(apiVersion.split('/').at(-1))} cannot be handled as a ${expected.kind}: ${meta.error}`,
      );
    if (apiVersion !== expected.apiVersion) {
      throw otherVersion(apiVersion, expected.apiVersion);
    }
    return;
  }
  if (kind === expected.kind && apiVersion === expected.apiVersion) return;
  const why = isBuiltin(apiVersion, kind)
    ? `converting (${apiVersion.split('/').at(-1)}.${kind}) to (${goPackage(expected.apiVersion)}.${expected.kind}): unknown conversion`
    : `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`;
  throw errors.badRequest(
    `${kind} in version ${JSON.stringify(apiVersion.split('/').at(-1))} cannot be handled as a ${expected.kind}: ${why}`,
  );
}

const isBuiltin = (apiVersion: string, kind: string): boolean =>
  builtinResources.some(
    (entry) =>
      (entry.kind === kind || `${entry.kind}List` === kind) && apiVersionOf(entry.group, entry.version) === apiVersion,
  );

/** The Go package of a group's internal types, which is named after the group's first part. */
const goPackage = (apiVersion: string): string => groupOf(apiVersion).split('.')[0] || 'core';

export function asStatusError(error: unknown): StatusError | undefined {
  return error instanceof StatusError ? error : undefined;
}
