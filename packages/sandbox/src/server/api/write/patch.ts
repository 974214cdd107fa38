/** PATCH: the patch types applied to the live object, and server-side apply. */
import { applyConfiguration } from '../../../objects/apply/managed-fields.ts';
import { parseShallow } from '../../../values/depth.ts';
import { isObject, type Json, type JsonObject, type KubeObject } from '../../../values/json.ts';
import { applyJsonPatch, readJsonPatch } from '../../../objects/patch/json-patch.ts';
import { applyMergePatch, readMergePatch } from '../../../objects/patch/merge-patch.ts';
import { readStrategicPatch, strategicMergePatch } from '../../../objects/patch/strategic.ts';
import { goJsonError } from '../../../objects/schema/go/go-json-error.ts';
import { parseYaml } from '../../../values/yaml.ts';
import { goKind, goYamlError } from '../request/body.ts';

import type { FieldValidation } from '../request/options.ts';
import type { Resource } from '../resource.ts';
import { errors, StatusError } from '../status.ts';
import { timestamp } from './write.ts';

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const TYPES: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

export function patchType(contentType: string, resource: Resource): PatchType {
  const accepted = Object.keys(TYPES).filter((type) => TYPES[type] !== 'strategic' || hasStrategicPatch(resource));
  const type = Object.hasOwn(TYPES, contentType) ? TYPES[contentType] : undefined;
  // For built-in kinds the router checks the content type, with its own error text.
  if (type === undefined && !resource.custom)
    throw new StatusError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
  if (type === undefined || !accepted.includes(contentType)) {
    throw errors.unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
    );
  }
  return type;
}

function hasStrategicPatch({ custom, strategicPatch = !custom }: Resource): boolean {
  return strategicPatch;
}

export interface ReadPatch {
  /** The complaints of strict decoding about the patch itself. */
  readonly complaints: readonly string[];
  /** Returns the patched object, not yet decoded to its kind; `shown` is what the server quotes when decoding fails. */
  apply(live: KubeObject): { readonly object: JsonObject; readonly shown?: () => string };
}

export function readPatch(
  type: Exclude<PatchType, 'apply'>,
  text: string,
  resource: Resource,
  validation: FieldValidation,
): ReadPatch {
  const body = parsePatch(text, type, validation);
  switch (type) {
    case 'json': {
      const { operations, unknown } = readJsonPatch(body, validation);
      return { complaints: unknown, apply: (live) => ({ object: applyJsonPatch(live, operations) }) };
    }
    case 'merge': {
      const patch = readMergePatch(body, validation);
      return { complaints: [], apply: (live) => ({ object: applyMergePatch(live, patch) }) };
    }
    case 'strategic': {
      const patch = readStrategicPatch(body);
      return {
        complaints: [],
        apply: (live) => {
          const merged = strategicMergePatch(live, patch, resource.schema);
          return { object: merged.object, shown: merged.patch };
        },
      };
    }
  }
}

function parsePatch(text: string, type: PatchType, validation: FieldValidation): Json {
  try {
    return parseShallow(text);
  } catch {
    if (type === 'merge' && validation === 'Ignore') throw errors.badRequest('Invalid JSON Patch');
    const prefix = validation === 'Ignore' || type === 'strategic' ? '' : 'error decoding patch: ';
    throw errors.badRequest(prefix + goJsonError(text));
  }
}

export interface ApplyOptions {
  readonly manager: string;
  readonly force: boolean;
  readonly subresource: string;
}

export function applied(
  body: KubeObject,
  live: KubeObject | undefined,
  resource: Resource,
  options: ApplyOptions,
): KubeObject {
  return applyConfiguration({
    live,
    applied: body,
    apiVersion: resource.apiVersion,
    kind: resource.kind,
    schema: resource.schema,
    manager: options.manager,
    force: options.force,
    subresource: options.subresource,
    now: timestamp(),
    resetFields: resource.strategy.resetFields(options.subresource),
    versions: resource.versions,
  });
}

/** `decodeApplyBody` decodes the body of an apply: YAML, of which JSON is a subset. */
export function decodeApplyBody(text: string): KubeObject {
  let value: Json;
  try {
    value = parseYaml(text);
  } catch (cause) {
    throw errors.badRequest(`error decoding YAML: error converting YAML to JSON: ${goYamlError(cause)}`);
  }
  if (value === null) throw errors.badRequest('invalid object type: /, Kind=');
  if (!isObject(value)) {
    throw errors.badRequest(
      `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${goKind(value)} into Go value of type map[string]interface {}`,
    );
  }
  if (value['metadata'] === undefined || value['metadata'] === null) value['metadata'] = {};
  return value as KubeObject;
}
