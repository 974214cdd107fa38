/**
 * One served resource: a kind in one version, with how it is stored, decoded, prepared and validated. Built-in kinds and custom
 * resources differ only in the strategy that stands behind this interface, so that the handlers know one path.
 */
import type { Versions } from '../apply/updater.ts';
import type { JsonObject, KubeObject } from '../json.ts';
import type { Schema } from '../schema/schema.ts';
import type { PrinterColumn } from '../table/printer-columns.ts';
import type { TableLayout } from '../table/render.ts';
import type { FieldError } from './status.ts';

export interface Subresource {
  readonly name: string;
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface Decoded {
  readonly object: KubeObject;
  /** What strict decoding complains about, in Kubernetes' words: `unknown field "spec.a"`. */
  readonly complaints: readonly string[];
}

export interface Strategy {
  /** Brings a client's object into the form of this version: types checked, unknown fields dropped, defaults filled in. */
  decode(raw: JsonObject, wantComplaints: boolean): Decoded;
  /** The same for an object that was patched from a stored one. */
  prepareForCreate(object: KubeObject): void;
  prepareForUpdate(object: KubeObject, old: KubeObject, subresource: string): void;
  validate(object: KubeObject): FieldError[];
  validateUpdate(object: KubeObject, old: KubeObject, subresource: string): FieldError[];
  warnings(object: KubeObject, old: KubeObject | undefined): string[];
  selectableFields(object: KubeObject): Record<string, string>;
  /** Names that a fieldSelector may use, or a function that answers with Kubernetes' refusal. */
  readonly selectable: ReadonlySet<string>;
  /** Seconds that a deletion waits for whoever runs the object; undefined for kinds that are not deleted gracefully. */
  gracePeriodSeconds(object: KubeObject, requested: number | undefined): number | undefined;
  /** What the first request to delete an object writes into it. */
  prepareForDelete?(object: KubeObject): void;
  readonly allowCreateOnUpdate: boolean;
  readonly allowUnconditionalUpdate: boolean;
  /** DELETE answers with the object rather than with a Status. */
  readonly returnDeletedObject: boolean;
  /** Paths that a write through the main resource, or through a subresource, cannot own. */
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
  /** Whether a strategic merge patch is taken; all but custom resources do, unless said. */
  readonly strategicPatch?: boolean;
  /** Set where this version is deprecated: the text of the Warning header. */
  readonly deprecation?: string;
  /** The group that errors name, where it is not the resource's own. */
  readonly errorGroup?: string;
  /** Of custom resources: the columns that `kubectl get` shows. */
  readonly printerColumns?: readonly PrinterColumn[];
  /** Columns that no path leads to: they stand in place of all others. */
  readonly layout?: TableLayout;
  readonly selectableFields?: readonly string[];
  readonly scale?: {
    readonly spec: readonly string[];
    readonly status: readonly string[];
    readonly selector: readonly string[] | undefined;
  };
  /** The other versions of the kind, for the owners of fields who wrote through them. */
  readonly versions?: Versions;
  /** Objects stored at or before this revision may have another form than the present schema. */
  readonly staleBefore?: number;
  /** Of custom resources: aborted when the definition has changed or gone, which ends their watches. */
  readonly retired?: AbortSignal;
  /** The built-in schema's name, for OpenAPI. */
  readonly definition?: string;
  /** From the storage version to this one, and back. Each may return its argument, changed. */
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
