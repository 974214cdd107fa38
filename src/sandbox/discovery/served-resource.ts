/** What discovery and the OpenAPI documents are made from: one entry for each resource in each version that is served. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import type { Schema } from '../schema/schema.ts';

export interface ServedSubresource {
  /** The part after the slash, such as `status`. */
  readonly name: string;
  readonly kind: string;
  /** Only where the kind is of another group than the resource (Scale, Eviction, TokenRequest). */
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
}

export interface ServedResource {
  readonly group: string;
  readonly version: string;
  /** The plural, as in paths. */
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  /** `Kind` + `List` where it is not given. */
  readonly listKind?: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  readonly subresources?: readonly ServedSubresource[];
  /** Built-in kinds: the name of the definition in builtin.json. Its absence makes the resource a custom one. */
  readonly definition?: string;
  /** Custom resources: the schema of this version as the CRD has it. */
  readonly schema?: Schema;
  /** Custom resources: the paths that a fieldSelector may name, such as `.spec.color`. */
  readonly selectableFields?: readonly string[];
}

/** A version of a group that another server serves behind an APIService. */
export interface RemoteVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  /** The `resources` of that version as the other server's aggregated discovery lists them. */
  readonly resources?: readonly JsonObject[];
  /** The other server did not answer: clients are told that the resources may be missing. */
  readonly stale?: boolean;
}

/** Built-in resources whose DELETE is declared to answer with the object, where others answer with a Status. */
export const answersDeleted: ReadonlySet<string> = new Set([
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'resourcequotas',
  'serviceaccounts',
  'services',
  'storageclasses',
]);

/** Kubernetes' own verbs for custom resources, in the order in which discovery gives them. */
export const customResourceVerbs: readonly string[] = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
];

/** While its CRD is being deleted nothing new may be written. */
export const terminatingResourceVerbs: readonly string[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];

export function isCustom(resource: ServedResource): boolean {
  return resource.definition === undefined;
}

/** Lets clients see that two versions of a resource are stored as one. `version` is the version in storage. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
