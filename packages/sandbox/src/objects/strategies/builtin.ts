/** Built-in kinds as resources: the generated schema and discovery entry combined with the kind's behavior. */
import { apiVersionOf, type DecodedObject, type Resource, type Strategy } from '../../server/api/resource.ts';
import { fieldError, type FieldError } from '../../server/api/status.ts';
import { answersDeleted } from '../../server/discovery/served-resource.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { behaviourOf } from '../kinds/behaviours.ts';
import { builtinResources, definition, type BuiltinResource } from '../kinds/builtin.ts';
import { cannotBeHandled, decode, DecodeError } from '../kinds/values/decode.ts';
import { eventFromEventsV1, eventToEventsV1 } from '../kinds/event.ts';
import type { KindBehaviour } from '../kinds/kind.ts';
import {
  nameIsDNS1035Label,
  nameIsDNSLabel,
  nameIsDNSSubdomain,
  nameIsPathSegment,
  type NameRule,
} from '../schema/names.ts';
import { validateObjectMeta, validateObjectMetaUpdate } from '../schema/object-meta.ts';
import type { Schema } from '../schema/schema.ts';
import { definitionBehaviour } from './definition.ts';

const NAME_RULES: Readonly<Record<NonNullable<KindBehaviour['nameRule']>, NameRule>> = {
  dns1123subdomain: nameIsDNSSubdomain,
  dns1123label: nameIsDNSLabel,
  dns1035label: nameIsDNS1035Label,
  pathSegment: nameIsPathSegment,
};

/** DELETE of these returns the object, of all others a Status. OpenAPI does not declare this for namespaces. */
const RETURN_DELETED = new Set([...answersDeleted, 'namespaces']);

/** An update of these is validated by the rules for updates and then by those for creates. */
const VALIDATED_AGAIN = new Set([
  'clusterrolebindings',
  'clusterroles',
  'configmaps',
  'endpoints',
  'endpointslices',
  'limitranges',
  'persistentvolumeclaims',
  'persistentvolumes',
  'rolebindings',
  'roles',
  'secrets',
  'serviceaccounts',
]);

function builtinStrategy(entry: BuiltinResource, schema: Schema, behaviour: KindBehaviour): Strategy {
  const nameRule = NAME_RULES[behaviour.nameRule ?? 'dns1123subdomain'];
  const hasStatus = entry.subresources?.some((sub) => sub.name === 'status') ?? false;
  const names = (object: KubeObject): FieldError[] => [
    ...validateObjectMeta(object.metadata, { namespaced: entry.namespaced, nameRule }),
    ...bareFinalizers(object),
  ];
  const probe: KubeObject = { apiVersion: '', kind: entry.kind, metadata: {} };
  return {
    decode: (raw, wantComplaints) => decodeTyped(entry, schema, behaviour, raw, wantComplaints),
    prepareForCreate: (object) => {
      behaviour.prepareForCreate?.(object);
      if (behaviour.hasGeneration === true) object.metadata.generation = 1;
    },
    prepareForUpdate: (object, old, subresource) => {
      if (subresource === 'status') behaviour.prepareForStatusUpdate?.(object, old);
      else if (subresource === 'finalize') behaviour.finalize?.prepareForUpdate(object, old);
      else behaviour.prepareForUpdate?.(object, old);
    },
    validate: (object) => {
      const problems = names(object);
      return [...problems, ...(behaviour.validate?.(object) ?? [])];
    },
    validateUpdate: (object, old, subresource) => {
      if (subresource === 'status') return behaviour.validateStatusUpdate?.(object, old) ?? [];
      if (subresource === 'finalize') return behaviour.finalize?.validateUpdate(object, old) ?? [];
      // A kind's own rules begin with those for metadata, so the same error can appear more than once.
      return [
        ...validateObjectMetaUpdate(object.metadata, old.metadata),
        ...(VALIDATED_AGAIN.has(entry.name) ? names(object) : []),
        ...(behaviour.validateUpdate?.(object, old) ?? []),
      ];
    },
    ...(behaviour.prepareForDelete === undefined ? {} : { prepareForDelete: behaviour.prepareForDelete }),
    warnings: (object, old) => behaviour.warnings?.(object, old) ?? [],
    selectableFields: (object) => behaviour.selectableFields?.(object) ?? {},
    selectable: new Set(
      Object.keys(behaviour.selectableFields?.(probe) ?? {}).filter((name) => !name.startsWith('metadata.')),
    ),
    gracePeriodSeconds: (object, requested) => grace(behaviour, object, requested),
    allowCreateOnUpdate: behaviour.allowCreateOnUpdate ?? false,
    allowUnconditionalUpdate: behaviour.allowUnconditionalUpdate ?? true,
    returnDeletedObject: RETURN_DELETED.has(entry.name),
    resetFields: (subresource) => {
      if (!hasStatus) return [];
      return subresource === 'status'
        ? [['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']]
        : [['status']];
    },
  };
}

const STANDARD_FINALIZERS = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Kubernetes' own kinds require a domain in finalizer names. */
function bareFinalizers(object: KubeObject): FieldError[] {
  return (object.metadata.finalizers ?? []).flatMap((name, i) =>
    name.includes('/') || STANDARD_FINALIZERS.has(name)
      ? []
      : [
          fieldError.invalid(
            `metadata.finalizers[${i}]`,
            name,
            'name is neither a standard finalizer name nor is it fully qualified',
          ),
        ],
  );
}

function grace(behaviour: KindBehaviour, object: KubeObject, requested: number | undefined): number | undefined {
  if (behaviour.defaultGracePeriodSeconds === undefined) return undefined;
  const own = behaviour.defaultGracePeriodSeconds(object);
  return own === 0 ? 0 : (requested ?? own);
}

function decodeTyped(
  entry: BuiltinResource,
  schema: Schema,
  behaviour: KindBehaviour,
  raw: JsonObject,
  wantComplaints: boolean,
): DecodedObject {
  try {
    const { object, unknown } = decode(schema, raw, wantComplaints);
    behaviour.default?.(object);
    return { object, complaints: unknown };
  } catch (error) {
    if (error instanceof DecodeError)
      throw cannotBeHandled(String(raw['kind']), entry.version, entry.kind, error.message);
    throw error;
  }
}

export function builtinResource(entry: BuiltinResource): Resource {
  const schema = definition(entry.definition);
  const apiVersion = apiVersionOf(entry.group, entry.version);
  const isNewEvent = entry.group === 'events.k8s.io';
  const behaviour =
    entry.name === 'customresourcedefinitions' ? definitionBehaviour : behaviourOf(entry.group, entry.name);
  return {
    group: entry.group,
    version: entry.version,
    apiVersion,
    plural: entry.name,
    singular: entry.singularName,
    kind: entry.kind,
    listKind: `${entry.kind}List`,
    namespaced: entry.namespaced,
    verbs: entry.verbs,
    shortNames: entry.shortNames ?? [],
    categories: entry.categories ?? [],
    ...(entry.storageVersionHash === undefined ? {} : { storageVersionHash: entry.storageVersionHash }),
    subresources: entry.subresources ?? [],
    schema,
    strategy: builtinStrategy(entry, schema, behaviour),
    // Events of both groups are the same objects in two forms.
    table: isNewEvent ? '/events' : `${entry.group}/${entry.name}`,
    storageApiVersion: isNewEvent ? 'v1' : apiVersion,
    custom: false,
    ...(behaviour.errorGroup === undefined ? {} : { errorGroup: behaviour.errorGroup }),
    ...(behaviour.deprecation === undefined ? {} : { deprecation: behaviour.deprecation }),
    definition: entry.definition,
    fromStorage: isNewEvent ? eventToEventsV1 : (object) => object,
    toStorage: isNewEvent ? eventFromEventsV1 : (object) => object,
  };
}

export function allBuiltinResources(): Resource[] {
  return builtinResources.map(builtinResource);
}
