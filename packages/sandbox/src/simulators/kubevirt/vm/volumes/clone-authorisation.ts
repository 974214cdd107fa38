/**
 * Checks whether a DataVolume may be cloned from another namespace: the VM's ServiceAccount must be allowed to read
 * there.
 */
import type { JsonObject } from '../../../../values/json.ts';
import type { VirtualMachine } from '../../objects.ts';
import type { CloneSource } from './data-volume-of.ts';
import { volumesOf } from '../domain.ts';
import type { Shell } from '../shell.ts';

/** `cloneRefusal` returns the reason for the refusal, or undefined if cloning is allowed. */
export async function cloneRefusal(shell: Shell, vm: VirtualMachine, source: CloneSource): Promise<string | undefined> {
  const { namespace = '' } = vm.metadata;
  if (source.namespace === namespace) return undefined;
  const user = `system:serviceaccount:${namespace}:${serviceAccountOf(vm)}`;
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  for (const resourceAttributes of attributesOf(source))
    if (await isAllowed(shell, { user, groups, resourceAttributes })) return undefined;
  return `User ${user} has insufficient permissions in clone source namespace ${source.namespace}`;
}

export function serviceAccountOf(vm: VirtualMachine): string {
  const named = volumesOf(vm.spec.template.spec).findLast(({ serviceAccount }) => serviceAccount !== undefined);
  const account = named?.['serviceAccount'] as { readonly serviceAccountName?: string } | undefined;
  return account?.serviceAccountName ?? 'default';
}

/** One of these rights is enough. */
function attributesOf({ kind, namespace, name }: CloneSource): readonly JsonObject[] {
  const source = { verb: 'create', group: 'cdi.kubevirt.io', resource: 'datavolumes', subresource: 'source' };
  const other = { verb: 'create', resource: kind === 'pvc' ? 'pods' : 'persistentvolumeclaims' };
  return [
    { namespace, name, ...source },
    { namespace, name, ...other },
  ];
}

async function isAllowed({ client, signal }: Shell, spec: JsonObject): Promise<boolean> {
  const { body } = await client.request({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec },
    signal,
  });
  return (body as { readonly status?: { readonly allowed?: boolean } } | undefined)?.status?.allowed === true;
}
