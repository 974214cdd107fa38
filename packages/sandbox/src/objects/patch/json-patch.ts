/**
 * JSON Patch as the API server applies it, which differs from RFC 6902: `replace` creates a missing key, a negative
 * index counts from the end, a path need not start with a slash (its first segment is ignored), and `test` of a missing
 * key against null succeeds. A generic library would reject these. The inputs are not modified, and the result shares
 * nothing with them.
 */
import { errors } from '../../server/api/status.ts';
import { tooDeep } from '../../values/depth.ts';
import type { Json, JsonObject } from '../../values/json.ts';
import { cloneJson, isObject, jsonEqual } from '../../values/json.ts';
import type { PatchFieldValidation } from './rejection.ts';
import { cannotUnmarshal, notApplicable, unusableResult, withoutTypeMeta } from './rejection.ts';

export const maxOperations = 10_000;
/** The maximum size of all copies of one patch in bytes. Without a limit, each copy could double the document. */
const maxCopiedBytes = 3 * 1024 * 1024;

const operationFields = new Set(['op', 'path', 'from', 'value']);

/** `readJsonPatch` parses the body of a patch; `unknown` contains the complaints of strict field validation, in the server's words. */
export function readJsonPatch(
  body: Json,
  fieldValidation: PatchFieldValidation = 'Warn',
): { operations: JsonObject[]; unknown: string[] } {
  const typed = fieldValidation !== 'Ignore';
  const prefix = typed ? 'error decoding patch: ' : '';
  if (body !== null && !Array.isArray(body)) {
    throw errors.badRequest(
      prefix + cannotUnmarshal(body, `value of type ${typed ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch'}`),
    );
  }
  const operations = (body ?? []).map((entry) => readOperation(entry, typed, prefix));
  if (operations.length > maxOperations) {
    throw errors.tooLarge(
      `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${operations.length}`,
    );
  }
  return { operations, unknown: typed ? operations.flatMap(unknownFields) : [] };
}

function readOperation(entry: Json, typed: boolean, prefix: string): JsonObject {
  if (entry === null) return {};
  if (!isObject(entry)) {
    throw errors.badRequest(
      prefix + cannotUnmarshal(entry, `value of type ${typed ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation'}`),
    );
  }
  for (const field of typed ? ['op', 'path', 'from'] : []) {
    const value = entry[field];
    if (value === undefined || value === null || typeof value === 'string') continue;
    throw errors.badRequest(prefix + cannotUnmarshal(value, `struct field jsonPatchOp.${field} of type string`));
  }
  return entry;
}

function unknownFields(operation: JsonObject, index: number): string[] {
  return Object.keys(operation)
    .filter((field) => !operationFields.has(field))
    .map((field) => `json patch unknown field "[${index}].${field}"`);
}

/** `applyJsonPatch` applies the operations in order to a copy of the document; if one fails, the whole patch fails. */
export function applyJsonPatch(document: JsonObject, operations: readonly JsonObject[]): JsonObject {
  let copied = 0;
  const patched = operations.reduce<Json>((current, operation) => {
    const op = operation['op'];
    const apply = typeof op === 'string' && Object.hasOwn(appliers, op) ? appliers[op] : undefined;
    if (apply === undefined) throw notApplicable();
    if (op === 'copy') copied += copySize(current, operation);
    if (copied > maxCopiedBytes) throw notApplicable();
    return apply(current, operation);
  }, cloneJson(document));
  if (tooDeep(patched)) throw notApplicable();
  if (isObject(patched)) return patched;
  throw unusableResult(JSON.stringify(patched), withoutTypeMeta);
}

type Container = Json[] | JsonObject;

/** Modifies the document in place, and returns it or its replacement. */
type Applier = (document: Json, operation: JsonObject) => Json;

const appliers: { readonly [op: string]: Applier | undefined } = {
  add: (document, operation) => {
    insert(locate(document, text(operation, 'path')), valueOf(operation));
    return document;
  },
  remove: (document, operation) => {
    take(locate(document, text(operation, 'path')));
    return document;
  },
  replace: (document, operation) => {
    const path = text(operation, 'path');
    if (path === '') return asContainer(valueOf(operation));
    const { container, key } = locate(document, path);
    if (Array.isArray(container)) container[index(key, container.length)] = valueOf(operation);
    else container[key] = valueOf(operation);
    return document;
  },
  move: (document, operation) => {
    const value = take(locate(document, text(operation, 'from')));
    insert(locate(document, text(operation, 'path')), value);
    return document;
  },
  copy: (document, operation) => {
    const value = read(locate(document, text(operation, 'from')));
    insert(locate(document, text(operation, 'path')), cloneJson(value ?? null));
    return document;
  },
  test: (document, operation) => {
    const path = text(operation, 'path');
    const actual = path === '' ? document : read(locate(document, path));
    if (!jsonEqual(actual ?? null, operation['value'] ?? null)) throw notApplicable();
    return document;
  },
};

function copySize(document: Json, operation: JsonObject): number {
  const value = read(locate(document, text(operation, 'from')));
  if (tooDeep(value)) throw notApplicable();
  return JSON.stringify(value ?? null).length;
}

interface Place {
  readonly container: Container;
  readonly key: string;
}

/** The place at a path; its last segment need not exist. */
function locate(document: Json, path: string): Place {
  const segments = path.split('/').slice(1).map(unescape);
  const key = segments.pop();
  if (key === undefined) throw notApplicable();
  const container = segments.reduce<Container>(
    (at, segment) => asContainer(read({ container: at, key: segment })),
    asContainer(document),
  );
  return { container, key };
}

const valueOf = (operation: JsonObject): Json => cloneJson(operation['value'] ?? null);

function text(operation: JsonObject, field: string): string {
  const value = operation[field];
  if (typeof value !== 'string') throw notApplicable();
  return value;
}

const unescape = (segment: string): string => segment.replaceAll('~1', '/').replaceAll('~0', '~');

function asContainer(value: Json | undefined): Container {
  if (Array.isArray(value) || isObject(value)) return value;
  throw notApplicable();
}

function read({ container, key }: Place): Json | undefined {
  if (Array.isArray(container)) return container[index(key, container.length)];
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

function insert({ container, key }: Place, value: Json): void {
  if (!Array.isArray(container)) container[key] = value;
  else if (key === '-') container.push(value);
  else container.splice(index(key, container.length + 1), 0, value);
}

function take({ container, key }: Place): Json {
  if (Array.isArray(container)) return container.splice(index(key, container.length), 1)[0] ?? null;
  if (!Object.hasOwn(container, key)) throw notApplicable();
  const value = container[key] ?? null;
  delete container[key];
  return value;
}

/** An index below `size`; a negative one counts from the end. */
function index(key: string, size: number): number {
  if (!/^[+-]?\d+$/.test(key)) throw notApplicable();
  const given = Number(key);
  const at = given < 0 ? given + size : given;
  if (at < 0 || at >= size) throw notApplicable();
  return at;
}
