/** What the API server needs for serving the versions of an accepted definition. */
import { isObject } from '../../values/json.ts';
import type { Json, KubeObject } from '../../values/json.ts';
import type { Schema } from '../schema/schema.ts';
import { compareVersions } from '../../values/version-order.ts';
import { schemaOf } from './types.ts';
import type { CustomResourceDefinition, DefinitionVersion, PrinterColumn, ScalePaths } from './types.ts';

export interface CustomResource {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly served: boolean;
  readonly storage: boolean;
  /** Includes the types of apiVersion, kind and metadata: for merging, applying and publishing. */
  readonly schema: Schema;
  /** The schema as written in the definition: for validation, pruning and defaults. */
  readonly validation: Schema;
  readonly subresources: { readonly status: boolean; readonly scale?: ScalePaths };
  readonly printerColumns: readonly PrinterColumn[];
  /** Paths such as `.spec.color`. */
  readonly selectableFields: readonly string[];
  /** The text of the Warning header of a deprecated version. */
  readonly deprecationWarning?: string;
}

/** `objectMeta` is the schema of metadata. */
export function customResources(crd: CustomResourceDefinition, objectMeta: Schema): CustomResource[] {
  return crd.spec.versions.map((version) => customResource(crd, version, objectMeta));
}

function customResource(crd: CustomResourceDefinition, version: DefinitionVersion, objectMeta: Schema): CustomResource {
  const { group, names, scope } = crd.spec;
  const accepted = (crd.status?.acceptedNames.plural ?? '') === '' ? names : (crd.status?.acceptedNames ?? names);
  const validation = (schemaOf(version) ?? {}) as Schema;
  const scale = version.subresources?.scale;
  const warning = deprecationWarning(crd, version);
  return {
    group,
    version: version.name,
    apiVersion: `${group}/${version.name}`,
    kind: accepted.kind,
    listKind: accepted.listKind ?? `${accepted.kind}List`,
    plural: accepted.plural,
    singular: accepted.singular ?? accepted.kind.toLowerCase(),
    shortNames: accepted.shortNames ?? [],
    categories: accepted.categories ?? [],
    namespaced: scope === 'Namespaced',
    served: version.served,
    storage: version.storage,
    schema: withMeta(validation, objectMeta),
    validation,
    subresources: { status: version.subresources?.status !== undefined, ...(scale === undefined ? {} : { scale }) },
    printerColumns: version.additionalPrinterColumns ?? [],
    selectableFields: (version.selectableFields ?? []).map(({ jsonPath }) => jsonPath),
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
  };
}

const text: Schema = { type: 'string' };

function withMeta(schema: Schema, objectMeta: Schema): Schema {
  return {
    ...schema,
    properties: { apiVersion: text, kind: text, ...schema.properties, metadata: objectMeta },
  };
}

function deprecationWarning(crd: CustomResourceDefinition, version: DefinitionVersion): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group, names, versions } = crd.spec;
  const newest = versions
    .filter(({ name, served, deprecated }) => served && deprecated !== true && compareVersions(name, version.name) < 0)
    .map(({ name }) => name)
    .toSorted((a, b) => compareVersions(a, b))[0];
  const message = `${group}/${version.name} ${names.kind} is deprecated`;
  return newest === undefined ? message : `${message}; use ${group}/${newest} ${names.kind}`;
}

/** Conversion with the strategy None: changes only apiVersion. */
export function convert(object: KubeObject, apiVersion: string): KubeObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}

/** `selectableFields` returns the values for field selectors, by path without its leading dot. */
export function selectableFields(resource: CustomResource, object: KubeObject): { [name: string]: string } {
  const fields: { [name: string]: string } = {};
  for (const path of resource.selectableFields) {
    const name = path.replace(/^\./, '');
    fields[name] = shown(valueAt(object, name.split('.')));
  }
  return fields;
}

export function valueAt(value: Json | undefined, path: readonly string[]): Json | undefined {
  let current = value;
  for (const key of path) {
    if (!isObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}

const shown = (value: Json | undefined): string => (value === undefined || value === null ? '' : String(value));
