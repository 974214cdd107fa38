/** Custom resources: a version of a definition, with the same interface as built-in kinds. */
import { apiVersionOf, type DecodedObject, type Resource, type Strategy } from '../../server/api/resource.ts';
import { errors, type FieldError } from '../../server/api/status.ts';
import type { Versions } from '../apply/updater.ts';
import { evaluateRules, hasRules } from '../cel/rules.ts';
import {
  decodeCustomResource,
  prepareResourceForCreate,
  prepareResourceForStatusUpdate,
  prepareResourceForUpdate,
  readStored,
  validateResource,
  validateResourceStatusUpdate,
  validateResourceUpdate,
  withRuleErrors,
} from '../crd/custom-resource.ts';
import { convert, selectableFields, type CustomResource } from '../crd/resource.ts';
import {
  customResourceVerbs,
  storageVersionHash,
  terminatingResourceVerbs,
} from '../../server/discovery/served-resource.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { finalizerWarnings } from '../schema/object-meta.ts';

export function customStrategy(of: CustomResource): Strategy {
  return {
    decode: (raw) => decode(of, raw),
    prepareForCreate: (object) => prepareResourceForCreate(of, object),
    prepareForUpdate: (object, old, subresource) =>
      subresource === 'status'
        ? prepareResourceForStatusUpdate(object, old)
        : prepareResourceForUpdate(of, object, old),
    validate: (object) => withRules(of, validateResource(of, object), object, undefined),
    validateUpdate: (object, old, subresource) =>
      withRules(
        of,
        subresource === 'status'
          ? validateResourceStatusUpdate(of, object, old)
          : validateResourceUpdate(of, object, old),
        object,
        old,
      ),
    warnings: (object, old) => [...(forgiven.get(object) ?? []), ...finalizerWarnings(object.metadata, old?.metadata)],
    selectableFields: (object) => selectableFields(of, object),
    selectable: new Set(of.selectableFields.map((path) => path.replace(/^\./, ''))),
    gracePeriodSeconds: () => undefined,
    allowCreateOnUpdate: false,
    allowUnconditionalUpdate: false,
    returnDeletedObject: false,
    resetFields: (subresource) =>
      subresource === 'status' ? [['metadata'], ['spec']] : of.subresources.status ? [['status']] : [],
  };
}

/**
 * Rule failures that an update is allowed to keep (ratcheting), by the updated object: validation finds them, and they
 * are reported as warnings.
 */
const forgiven = new WeakMap<KubeObject, readonly string[]>();

function withRules(
  of: CustomResource,
  problems: FieldError[],
  object: KubeObject,
  old: KubeObject | undefined,
): FieldError[] {
  if (!hasRules(of.validation)) return problems;
  return withRuleErrors(problems, () => {
    const { errors: failures, warnings } = evaluateRules(of.validation, object, old);
    if (warnings.length > 0) forgiven.set(object, warnings);
    return failures;
  });
}

function decode(of: CustomResource, raw: JsonObject): DecodedObject {
  const decoded = decodeCustomResource(of, raw);
  if (decoded.error === undefined) return decoded;
  throw errors.badRequest(
    `${String(raw['kind'])} in version "${of.version}" cannot be handled as a ${of.kind}: ${decoded.error}`,
  );
}

/** `customApiResources` returns the served versions of a definition. Objects stored up to `staleBefore` may not match its current schema. */
export function customApiResources(
  versions: readonly CustomResource[],
  staleBefore: number,
  terminating: boolean,
  retired: AbortSignal,
): Resource[] {
  const storage = versions.find((version) => version.storage);
  if (storage === undefined) return [];
  const schemas: Versions = {
    schema: (apiVersion) => versions.find((version) => version.served && version.apiVersion === apiVersion)?.schema,
    convert: (object, apiVersion) => convert(structuredClone(object), apiVersion),
  };
  return versions
    .filter((version) => version.served)
    .map((version) => ({ ...resourceOf(version, storage, schemas, staleBefore, terminating), retired }));
}

function resourceOf(
  version: CustomResource,
  storage: CustomResource,
  versions: Versions,
  staleBefore: number,
  terminating: boolean,
): Resource {
  const { group, plural, kind, subresources } = version;
  const storageApiVersion = apiVersionOf(group, storage.version);
  return {
    group,
    version: version.version,
    apiVersion: version.apiVersion,
    plural,
    singular: version.singular,
    kind,
    listKind: version.listKind,
    namespaced: version.namespaced,
    verbs: terminating ? terminatingResourceVerbs : customResourceVerbs,
    shortNames: version.shortNames,
    categories: version.categories,
    storageVersionHash: storageVersionHash(group, storage.version, kind),
    subresources: [
      ...(subresources.status ? [{ name: 'status', kind, verbs: ['get', 'patch', 'update'] }] : []),
      ...(subresources.scale === undefined
        ? []
        : [{ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'] }]),
    ],
    schema: version.schema,
    strategy: customStrategy(version),
    table: `${group}/${plural}`,
    storageApiVersion,
    custom: true,
    versions,
    staleBefore: version === storage ? staleBefore : Number.POSITIVE_INFINITY,
    ...(version.deprecationWarning === undefined ? {} : { deprecation: version.deprecationWarning }),
    ...(version.printerColumns.length === 0 ? {} : { printerColumns: version.printerColumns }),
    ...(version.selectableFields.length === 0 ? {} : { selectableFields: version.selectableFields }),
    ...(subresources.scale === undefined ? {} : { scale: scaleOf(subresources.scale) }),
    fromStorage: (object: KubeObject) => readStored(version, convert(object, version.apiVersion)),
    // Conversion to the storage version drops the fields that it does not have.
    toStorage: (object: KubeObject) =>
      version === storage ? object : readStored(storage, convert(object, storageApiVersion)),
  };
}

function scaleOf(paths: {
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
}): NonNullable<Resource['scale']> {
  const parts = (path: string): string[] => path.split('.').slice(1);
  return {
    spec: parts(paths.specReplicasPath),
    status: parts(paths.statusReplicasPath),
    selector: paths.labelSelectorPath === undefined ? undefined : parts(paths.labelSelectorPath),
  };
}
