/**
 * One served resource: a kind in one version, with its storage, decoding, preparation and validation. Built-in kinds
 * and custom resources implement the same strategy interface, so the handlers need no distinction.
 */
import type { Versions } from '../../objects/apply/updater.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import type { Schema } from '../../objects/schema/schema.ts';
import type { TableColumn } from '../table/printer-columns.ts';
import type { TableLayout } from '../table/render.ts';
import type { FieldError } from './status.ts';

export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface DecodedObject {
  readonly object: KubeObject;
  /** The complaints of strict decoding, in Kubernetes' words: `unknown field "spec.a"`. */
  readonly complaints: readonly string[];
}

export interface Strategy {
  /** Converts a client's object to the form of this version: checks types, drops unknown fields, fills in defaults. */
  decode(raw: JsonObject, wantComplaints: boolean): DecodedObject;
  /** Normalizes a new object before validation, like PrepareForCreate of a Kubernetes strategy. */
  prepareForCreate(object: KubeObject): void;
  prepareForUpdate(object: KubeObject, old: KubeObject, subresource: string): void;
  validate(object: KubeObject): FieldError[];
  validateUpdate(object: KubeObject, old: KubeObject, subresource: string): FieldError[];
  warnings(object: KubeObject, old: KubeObject | undefined): string[];
  selectableFields(object: KubeObject): Record<string, string>;
  /** Names that a fieldSelector may use. */
  readonly selectable: ReadonlySet<string>;
  /** The grace period of a deletion in seconds; undefined for kinds without graceful deletion. */
  gracePeriodSeconds(object: KubeObject, requested: number | undefined): number | undefined;
  /** Changes the object on the first request to delete it. */
  prepareForDelete?(object: KubeObject): void;
  readonly allowCreateOnUpdate: boolean;
  readonly allowUnconditionalUpdate: boolean;
  /** DELETE answers with the object instead of a Status. */
  readonly returnDeletedObject: boolean;
  /** The paths that a write through the main resource, or through a subresource, cannot own. */
  resetFields(subresource: string): readonly (readonly string[])[];
}

export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly storageVersionHash?: string;
  readonly subresources: readonly Subresource[];
  readonly schema: Schema;
  readonly strategy: Strategy;
  /** The name of the table in the store; versions of a kind share one. */
  readonly table: string;
  readonly storageApiVersion: string;
  readonly custom: boolean;
  /** Whether strategic merge patches are supported. The default is true for all but custom resources. */
  readonly strategicPatch?: boolean;
  /** The text of the Warning header of a deprecated version. */
  readonly deprecation?: string;
  /** The group in error messages, if it is not the resource's own. */
  readonly errorGroup?: string;
  /** For custom resources: the columns that `kubectl get` shows. */
  readonly printerColumns?: readonly TableColumn[];
  /** Columns that cannot be expressed by paths; they replace all others. */
  readonly layout?: TableLayout;
  readonly selectableFields?: readonly string[];
  readonly scale?: {
    readonly spec: readonly string[];
    readonly status: readonly string[];
    readonly selector: readonly string[] | undefined;
  };
  /** The other versions of the kind, for fields whose owners wrote through them. */
  readonly versions?: Versions;
  /** Objects stored at or before this revision may have another form than the current schema. */
  readonly staleBefore?: number;
  /** For custom resources: aborted when the definition changes or is removed, which ends their watches. */
  readonly retired?: AbortSignal;
  /** The name of the built-in schema, for OpenAPI. */
  readonly definition?: string;
  /** Converts from the storage version to this one, and back. Each may modify and return its argument. */
  fromStorage(object: KubeObject): KubeObject;
  toStorage(object: KubeObject): KubeObject;
}

export function apiVersionOf(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
