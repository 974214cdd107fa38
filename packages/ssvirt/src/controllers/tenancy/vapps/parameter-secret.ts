/**
 * The Secret with the values of a template's parameters. It exists only as long as the template controller needs it.
 */
import { isKind } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import { parameterSecretName } from '../../../kubevirt/tenant-vm/names.ts';
import type { VappSpec } from '../../../kubevirt/tenant-vm/spec.ts';
import { parameterSecret } from '../../../kubevirt/tenant-vm/template-vm.ts';
import { Refused } from '../engine/failures.ts';
import { isOurs, type VappAttempt } from './attempt.ts';
import { secrets, templateInstances } from '../../../fleet/kinds.ts';

/** `createSecret` returns a Secret that an earlier attempt left has the same values. */
export async function createSecret(attempt: VappAttempt, spec: VappSpec, instance: string): Promise<void> {
  const { client, identity, cluster } = attempt;
  try {
    await client.create(secrets, parameterSecret(identity, instance, spec.parameters ?? {}));
  } catch (error) {
    if (!isKind(error, 'AlreadyExists')) throw error;
    const found = await find(attempt, instance);
    if (found === undefined || isOurs(attempt, found)) return;
    throw new Refused(
      'CONFLICT',
      `cluster "${cluster.name}" has a Secret "${parameterSecretName(instance)}" that does not belong to this vApp: create the vApp again`,
      error,
    );
  }
}

/** `ownSecret` makes the instance the owner, so that the Secret is deleted with it whatever happens to this process. */
export async function ownSecret(attempt: VappAttempt, instance: string, uid: string): Promise<void> {
  const found = await find(attempt, instance);
  const { ownerReferences = [] } = found?.metadata ?? {};
  if (found === undefined || !isOurs(attempt, found) || ownerReferences.some((owner) => owner.uid === uid)) return;
  const { group, version, kind } = templateInstances;
  const owner = { apiVersion: `${group}/${version}`, kind, name: instance, uid };
  await attempt.client.patch(secrets, found, { metadata: { ownerReferences: [...ownerReferences, owner] } });
}

export async function deleteSecret(attempt: VappAttempt, instance: string): Promise<void> {
  const found = await find(attempt, instance);
  if (found !== undefined && isOurs(attempt, found)) await attempt.client.delete(secrets, found);
}

function find({ client, identity }: VappAttempt, instance: string): Promise<KubeObject | undefined> {
  return client.get(secrets, { namespace: identity.namespace, name: parameterSecretName(instance) });
}
