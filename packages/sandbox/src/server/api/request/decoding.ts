/** Decodes bodies and patched objects to an object of the kind, with the server's texts for those that are not one. */
import { isObject, jsonEqual, type JsonObject, type KubeObject } from '../../../values/json.ts';
import { builtinResources, definition } from '../../../objects/kinds/builtin.ts';
import { decode, DecodeError } from '../../../objects/kinds/values/decode.ts';
import { unusableResult } from '../../../objects/patch/rejection.ts';
import { goJson, sortKeys } from '../../../objects/schema/go/go-text.ts';
import { parseMerging } from '../../../objects/schema/merging-json.ts';
import { duplicateFields } from '../../../objects/schema/strict.ts';
import {
  asStatusError,
  checkTypeMeta,
  checkTypeText,
  decodeBody,
  unrecognized,
  UnrecognizedBody,
  type Body,
} from './body.ts';
import type { Context } from '../context.ts';
import type { WriteOptions } from './options.ts';
import { apiVersionOf, type Resource } from '../resource.ts';
import { errors, StatusError } from '../status.ts';

/** `decodeObject` decodes the body of a create or update to an object of the kind. */
export function decodeObject(context: Context, resource: Resource, body: Buffer, options: WriteOptions): KubeObject {
  const { raw, text, yaml } = readTyped(context, resource, body);
  const doubled = yaml || text === '' ? [] : duplicateFields(text);
  const given = doubled.length > 0 && !resource.custom ? (parseMerging(text) as JsonObject) : raw;
  return decodeRaw(resource, given, options, doubled, (warning) => context.warnings.add(warning));
}

function readTyped(context: Context, resource: Resource, body: Buffer): Body {
  try {
    const decoded = decodeBody(context.request, body, resource.custom ? undefined : resource.schema);
    checkTypeMeta(decoded.raw, resource);
    return decoded;
  } catch (error) {
    if (error instanceof UnrecognizedBody) throw unrecognized(error, resource.kind, body);
    throw error;
  }
}

function decodeRaw(
  resource: Resource,
  raw: JsonObject,
  options: WriteOptions,
  before: readonly string[],
  warn: (text: string) => void,
): KubeObject {
  const forgets = isObject(raw['metadata']) && jsonEqual(raw['metadata']['managedFields'], []);
  const { object, complaints } = resource.strategy.decode(raw, options.fieldValidation !== 'Ignore');
  // Here an empty list differs from an absent one: it gives up all ownership.
  if (forgets) object.metadata.managedFields = [];
  const all = [...before, ...complaints];
  if (all.length > 0 && options.fieldValidation === 'Strict') {
    throw errors.badRequest(
      `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: strict decoding error: ${all.join(', ')}`,
    );
  }
  if (options.fieldValidation === 'Warn') for (const text of all) warn(text);
  return object;
}

/**
 * The object that a rejected patch produced, as error messages quote it. A custom resource is a map in the server, and
 * Go sorts the keys of maps.
 */
export function quotation(resource: Resource, object: JsonObject): string {
  return resource.custom ? goJson(sortKeys(object)) : JSON.stringify(object);
}

/** `decodePatched` decodes the result of a patch. When it is not an object of the kind, the server blames the patch. */
export function decodePatched(
  resource: Resource,
  raw: JsonObject,
  refused: { quoted(): string; words(why: string): string },
  options: WriteOptions,
  before: readonly string[],
  warn: (text: string) => void,
): KubeObject {
  try {
    checkTypeText(raw);
    if (!resource.custom) checkKept(resource, raw);
    return decodeRaw(resource, raw, options, before, warn);
  } catch (error) {
    if (error instanceof UnrecognizedBody) throw unusableResult(refused.quoted(), error.message);
    const refusal = asStatusError(error);
    const marker = `cannot be handled as a ${resource.kind}: `;
    const at = refusal?.message.indexOf(marker) ?? -1;
    if (refusal === undefined || at < 0) throw error;
    const why = refusal.message.slice(at + marker.length);
    throw unusableResult(refused.quoted(), refused.words(why));
  }
}

/**
 * Decodes the result of an apply. When it is not an object of the kind, the server reports an internal error, because
 * it does not expect that.
 */
export function decodeMerged(resource: Resource, merged: KubeObject, config: KubeObject): KubeObject {
  try {
    return resource.strategy.decode(merged, false).object;
  } catch (error) {
    const marker = `cannot be handled as a ${resource.kind}: `;
    const refusal = asStatusError(error);
    const at = refusal?.message.indexOf(marker) ?? -1;
    if (refusal === undefined || at < 0 || resource.custom) throw error;
    const { namespace = '', name = '' } = config.metadata;
    const kind = `${resource.group}/${resource.version}, Kind=${resource.kind}`;
    throw new StatusError(
      500,
      '',
      `failed to convert new object (${namespace}/${name}; ${kind}) to proper version: unable to convert unstructured object to ${kind}: error decoding from json: ${refusal.message.slice(at + marker.length)}`,
    );
  }
}

/**
 * For a patch that changes the kind of an object: the result is decoded as the other kind first, then rejected because
 * of its kind.
 */
function checkKept(resource: Resource, raw: JsonObject): void {
  const { kind, apiVersion } = raw;
  const other = builtinResources.find(
    (entry) => entry.kind === kind && apiVersionOf(entry.group, entry.version) === apiVersion,
  );
  if (kind === resource.kind && apiVersion === resource.apiVersion) return;
  try {
    if (other !== undefined) decode(definition(other.definition), raw, false);
  } catch (error) {
    if (error instanceof DecodeError)
      throw errors.badRequest(`cannot be handled as a ${resource.kind}: ${error.message}`);
    throw error;
  }
  checkTypeMeta(raw, resource);
}

/**
 * The server decodes the result of a strategic patch from memory instead of from text, by a decoder with other error
 * texts.
 */
export function inMemoryWords(why: string): string {
  const [, from = '', to = ''] = /^json: cannot unmarshal (\w+) into Go .* of type (.*)$/.exec(why) ?? [];
  if (from === '') return why.startsWith('strict decoding error') ? why : `error decoding from json: ${why}`;
  const source = { number: 'int64', object: 'map', array: 'slice' }[from] ?? from;
  if (to.startsWith('map[')) return `cannot restore map from ${source}`;
  return to.startsWith('[]')
    ? `cannot restore slice from ${source}`
    : `cannot convert ${source} to ${to.split('.').at(-1)}`;
}

/** The name in the object must be the name in the URL. */
export function checkName(name: string, object: KubeObject): void {
  const given = object.metadata.name ?? '';
  if (given === '')
    throw errors.badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  if (given !== name)
    throw errors.badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}
