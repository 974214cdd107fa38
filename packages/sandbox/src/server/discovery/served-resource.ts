/** The input of discovery and OpenAPI: one entry per resource and served version. */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../values/json.ts';
import type { Schema } from '../../objects/schema/schema.ts';

export interface ServedSubresource {
  /** The part after the slash, such as `status`. */
  readonly name: string;
  readonly kind: string;
  /** Set only when the kind has another group than the resource (Scale, Eviction, TokenRequest). */
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
  /** The default is `Kind` + `List`. */
  readonly listKind?: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
  readonly subresources?: readonly ServedSubresource[];
  /** For built-in kinds: the name of the definition in builtin.json. A resource without it is a custom resource. */
  readonly definition?: string;
  /** For custom resources: the schema of this version as in the CRD. */
  readonly schema?: Schema;
  /** For custom resources: the paths that a fieldSelector may use, such as `.spec.color`. */
  readonly selectableFields?: readonly string[];
}

/** `RemoteVersion` is a version of a group that another server serves behind an APIService. */
export interface RemoteVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriorityMinimum: number;
  readonly versionPriority: number;
  /** The `resources` of that version as in the other server's aggregated discovery. */
  readonly resources?: readonly JsonObject[];
  /** The other server did not answer: discovery shows that the resources may be incomplete. */
  readonly stale?: boolean;
}

/** Built-in resources whose DELETE is declared to return the object; others return a Status. */
export const answersDeleted: ReadonlySet<string> = new Set([
  'persistentvolumeclaims',
  'persistentvolumes',
  'pods',
  'resourcequotas',
  'serviceaccounts',
  'services',
  'storageclasses',
]);

/** Kubernetes' own verbs for custom resources, in discovery's order. */
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

/** While its CRD is being deleted, nothing new can be written. */
export const terminatingResourceVerbs: readonly string[] = ['delete', 'deletecollection', 'get', 'list', 'watch'];

export function isCustom(resource: ServedResource): boolean {
  return resource.definition === undefined;
}

/** `storageVersionHash` shows clients that two versions of a resource share one storage. `version` is the storage version. */
export function storageVersionHash(group: string, version: string, kind: string): string {
  return createHash('sha256').update(`${group}/${version}/${kind}`).digest().subarray(0, 8).toString('base64');
}
