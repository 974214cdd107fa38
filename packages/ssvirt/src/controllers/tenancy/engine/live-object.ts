/** What is kept of an object in a cluster: enough to tell whether it is ours and unchanged since our last apply. */
import { defined } from '@ssvirt/base/values/defined';
import type { Projection, Projected } from '@ssvirt/kube/informer/informer';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import { hashOf } from '@ssvirt/kube/reconcile/apply-child';
import { ownManagedFields } from '@ssvirt/kube/reconcile/managed-fields';
import { isJsonObject } from '@ssvirt/kube/reconcile/merge-patch';
import type { AppliedObject } from '../../../db/vdcs/vdc-applied.ts';
import { labels } from '../../../kubevirt/vdc/labels.ts';
import { fieldManager } from '../vdcs/vdc-types.ts';

export interface LiveObject extends Projected {
  readonly vdcId: string;
  readonly installationId: string;
  readonly isEnding: boolean;
  /** Why it is not gone yet, in the cluster's words. */
  readonly endsWhen: string;
  /**
   * A hash of our managed fields and of the spec. It changes when another manager takes over one of our fields, and
   * when something is added to the spec (a key to a quota). Changes elsewhere, such as usage in a status, do not affect
   * it.
   */
  readonly fields: string;
}

export const liveObject: Projection<KubeObject, LiveObject> = { name: fieldManager, project: liveObjectOf };

export function liveObjectOf(object: KubeObject): LiveObject {
  // A projection may get its own result as input.
  if ('fields' in object) return object as LiveObject;
  const { name, namespace, uid, resourceVersion, labels: found = {}, deletionTimestamp } = object.metadata;
  const place = { name, uid, resourceVersion, labels: found, ...defined({ namespace }) };
  return {
    metadata: place as LiveObject['metadata'],
    vdcId: found[labels.vdcId] ?? '',
    installationId: found[labels.installationId] ?? '',
    isEnding: deletionTimestamp !== undefined,
    endsWhen: deletionTimestamp === undefined ? '' : remaining(object),
    fields: hashOf([ownFields(object), specOf(object)]),
  };
}

function ownFields(object: KubeObject): readonly unknown[] {
  return ownManagedFields(object, fieldManager).map((entry) => (isJsonObject(entry) ? entry['fieldsV1'] : null));
}

/** The spec of a namespace belongs to the cluster. A RoleBinding has no spec: its roleRef and subjects count. */
function specOf(object: KubeObject): unknown {
  if (object.kind === 'Namespace') return null;
  const { spec, roleRef, subjects } = object as Unstructured;
  return roleRef === undefined ? spec : [roleRef, subjects];
}

/** `isAsApplied` returns whether none of our fields has changed since our last apply. */
export function isAsApplied({ metadata, fields }: LiveObject, applied: AppliedObject | undefined): boolean {
  if (applied === undefined || metadata.uid !== applied.uid) return false;
  return metadata.resourceVersion === applied.resourceVersion || fields === applied.fields;
}

export function appliedObject({ metadata, fields }: LiveObject, digest: string): AppliedObject {
  return { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '', digest, fields };
}

/** The conditions of a terminating namespace. */
function remaining(object: KubeObject): string {
  const { status } = object as { readonly status?: { readonly conditions?: unknown } };
  const conditions = Array.isArray(status?.conditions) ? status.conditions.filter(isJsonObject) : [];
  return conditions
    .filter(({ type, status: holds }) => holds === 'True' && typeof type === 'string' && type.startsWith('Namespace'))
    .map(({ message }) => (typeof message === 'string' ? message : ''))
    .filter((message) => message !== '')
    .join('; ');
}
