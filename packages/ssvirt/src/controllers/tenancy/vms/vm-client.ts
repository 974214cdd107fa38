/** The VM client: requests about one VM in its cluster. */
import { KubeError, isConflict, isKind, isNotFound } from '@ssvirt/kube/errors';
import type { Unstructured } from '@ssvirt/kube/object';
import { type KubeLike, kubevirtVersion } from '../../../kubevirt/tenant-vm/kube-like.ts';
import type { SubresourceStep } from '../../../kubevirt/power/plan.ts';
import { whileBound } from '../vdcs/bound-namespace.ts';
import { Refused } from '../engine/failures.ts';
import type { VmAttempt } from './attempt.ts';
import { secrets, virtualMachines } from '../../../fleet/kinds.ts';
import { subresources, templateSubresources } from './subresources.ts';

/** `put` sends a PUT to a subresource of the VM or of its instance. */
export async function put(
  { client, identity: { namespace, vmName: name } }: VmAttempt,
  { of, subresource, body }: Pick<SubresourceStep, 'of' | 'body'> & { readonly subresource: string },
): Promise<void> {
  const sent = body === undefined ? {} : { body };
  await client.act({ method: 'PUT', group: subresources, plural: of, namespace, name, action: subresource, ...sent });
}

/** `giveSecrets` makes the VM the owner of its Secrets, so that they are deleted with it. Their contents are not read. */
export async function giveSecrets(
  { client, identity }: VmAttempt,
  made: readonly KubeLike[],
  { metadata }: Unstructured,
): Promise<void> {
  const { name = '', uid = '' } = metadata;
  const ownerReferences = [{ apiVersion: kubevirtVersion, kind: 'VirtualMachine', name, uid }];
  await whileBound(client, identity.namespace, async () => {
    for (const { metadata: secret } of made)
      await client.patch(
        secrets,
        { metadata: { namespace: secret.namespace, name: secret.name } },
        { metadata: { ownerReferences } },
      );
  });
}

/** `processed` returns the VM that the cluster renders from a VirtualMachineTemplate and the values of its parameters. */
export async function processed(attempt: VmAttempt, source: TemplateSource): Promise<unknown> {
  const { namespace, name, parameters = {} } = source;
  const request = {
    method: 'POST',
    plural: 'virtualmachinetemplates',
    action: 'process',
    body: { parameters },
  } as const;
  for (const group of templateSubresources) {
    try {
      const answer = await attempt.client.act({ ...request, group, namespace, name });
      return (answer as { readonly virtualMachine?: unknown } | undefined)?.virtualMachine;
    } catch (error) {
      // A value was sent for a parameter that the template no longer has.
      if (isConflict(error)) throw new Refused('CONFLICT', wordsOf(error), error);
      if (isMissingTemplate(error)) break;
      // An older cluster serves it under the older name.
      if (!isNotFound(error)) throw error;
    }
  }
  throw new Refused('NOT_FOUND', `the template "${name}" no longer exists: choose another catalog item`);
}

/** The server reports it as an internal error. */
function isMissingTemplate(error: unknown): boolean {
  return isKind(error, 'InternalError') && /error getting VirtualMachineTemplate: .*not found/.test(error.message);
}

interface TemplateSource {
  readonly namespace: string;
  readonly name: string;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** `patchVm` resolves to the VM after the patch. */
export function patchVm({ client }: VmAttempt, live: Unstructured, patch: object): Promise<Unstructured> {
  return client.patch(virtualMachines, live, patch);
}

/** `wordsOf` returns the cluster's own text about the error. */
export function wordsOf(error: unknown): string {
  if (error instanceof KubeError) return error.words ?? error.message;
  return error instanceof Error ? error.message : String(error);
}
