/** Rights that a write requires besides the one on its path. */
import { defined } from '@ssvirt/base/values/defined';
import type { KubeObject } from '../../../packages/kube/src/object.ts';
import type { Attributes } from './attributes.ts';

/** An apply that creates something is a creation, too. */
export function isApply(asked: Attributes, contentType = ''): boolean {
  return asked.verb === 'patch' && !asked.resource.includes('/') && contentType.startsWith('application/apply-patch');
}

/**
 * A writer that makes an object block the deletion of its owner needs that right on the owner, if ownerReferences are
 * guarded.
 */
export function finalizersOf(asked: Attributes, body: Buffer): readonly Attributes[] {
  if (asked.resource.includes('/') || !['create', 'update', 'patch'].includes(asked.verb)) return [];
  const { metadata } = parsed(body);
  return (metadata?.ownerReferences ?? [])
    .filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true)
    .map(({ apiVersion, kind, name }) => ({
      verb: 'update',
      group: apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '',
      // Holds for every owning kind here.
      resource: `${kind.toLowerCase()}s/finalizers`,
      name,
      ...defined({ namespace: asked.namespace }),
    }));
}

/**
 * A writer that changes owners needs the right to delete the object, if ownerReferences are guarded; the server knows
 * the previous owners.
 */
export function ownedBy([asked]: readonly Attributes[], said: string): readonly Attributes[] {
  const isMeant = said.includes("cannot set an ownerRef on a resource you can't delete");
  return asked !== undefined && isMeant ? [{ ...asked, verb: 'delete' }] : [];
}

/** A writer that binds a role needs all its rights there, or the right to bind that role. */
export function bindingOf(asked: Attributes | undefined, body: Buffer, said: string): readonly Attributes[] {
  const role = roleBoundBy(asked, body);
  const isMeant = said.includes('is attempting to grant RBAC permissions not currently held');
  return role === undefined || !isMeant
    ? []
    : [{ verb: 'bind', group: 'rbac.authorization.k8s.io', resource: 'clusterroles', name: role }];
}

/** The ClusterRole that a request binds in a namespace. */
export function roleBoundBy(asked: Attributes | undefined, body: Buffer): string | undefined {
  if (asked?.resource !== 'rolebindings' || !['create', 'patch', 'update'].includes(asked.verb)) return undefined;
  const { roleRef } = parsed(body) as { readonly roleRef?: { readonly name?: string } };
  return roleRef?.name;
}

/** Patches may be lists of operations; these set no owners here. */
function parsed(body: Buffer): Partial<KubeObject> {
  if (body.length === 0) return {};
  const value = JSON.parse(body.toString()) as unknown;
  return Array.isArray(value) ? {} : (value as Partial<KubeObject>);
}
