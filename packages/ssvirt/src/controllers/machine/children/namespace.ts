/**
 * The namespace of a Machine in its cluster has the same name as in the supervisor. A namespace that we created names
 * its supervisor in a label. Another one is used only if an administrator of that cluster allows it, because two
 * supervisors may use the same name for different people.
 */
import { isKind } from '@ssvirt/kube/errors';
import type { Projected } from '@ssvirt/kube/informer/informer';
import { isDeleting } from '@ssvirt/kube/reconcile/finalizers';
import { localName } from '../../../fleet/kubevirtconfig/kubevirt-config.ts';
import { namespaces } from '../../../fleet/kinds.ts';
import { isSystemNamespace } from '../../../kubevirt/facts/system-namespace.ts';
import { annotations, labels, managedBy } from '../../../kubevirt/machine/resource.ts';
import { lookAgainMs } from '../../operator/cluster-refusal.ts';
import { asked, problem, waiting } from '../step-halted.ts';
import { namespaceProjection } from '../projections.ts';
import type { MachineWork } from '../work.ts';

export async function ensureNamespace(work: MachineWork): Promise<void> {
  const { member, caches, identity } = work;
  // In the supervisor it is the Machine's own namespace.
  if (member.name === localName) return;
  const found = caches.namespaces.get({ name: identity.namespace }) ?? (await create(work));
  if (isDeleting(found))
    throw waiting(
      'namespace',
      'NamespaceTerminating',
      `the namespace "${identity.namespace}" of cluster "${member.name}" is being deleted; waiting for it to be gone`,
    );
  if (!isAllowed(found, identity.supervisor)) throw refused(work);
}

async function create({ member, identity, signal, operator, machine }: MachineWork): Promise<Projected> {
  const { namespace, supervisor } = identity;
  const metadata = { name: namespace, labels: { [labels.managedBy]: managedBy, [labels.supervisor]: supervisor } };
  return asked('namespace', member.name, `create namespace "${namespace}"`, async () => {
    try {
      const made = await member.client.create(namespaces, { metadata }, { signal });
      operator.event(
        machine,
        'Normal',
        'NamespaceCreated',
        `Created namespace "${namespace}" in cluster "${member.name}"`,
      );
      return made;
    } catch (error) {
      if (!isKind(error, 'AlreadyExists')) throw error;
      return namespaceProjection.project(await member.client.get(namespaces, { name: namespace }, { signal }));
    }
  });
}

export function isAllowed({ metadata }: Projected, supervisor: string): boolean {
  if (metadata.labels?.[labels.supervisor] === supervisor) return true;
  const said = [metadata.labels?.[annotations.allowMachines], metadata.annotations?.[annotations.allowMachines]];
  return said.includes('true') || said.includes(supervisor);
}

/**
 * `mayBeBound` says whether a namespace ever gets a RoleBinding of the operator. In a member it must allow Machines of
 * `supervisor`, which is undefined for a namespace of the supervisor itself.
 */
export function mayBeBound(found: Projected | undefined, supervisor: string | undefined): boolean {
  if (found === undefined || isSystemNamespace(found.metadata.name ?? '')) return false;
  return supervisor === undefined || isAllowed(found, supervisor);
}

function refused({ member, identity: { namespace, supervisor } }: MachineWork): Error {
  const message =
    `the namespace "${namespace}" exists in cluster "${member.name}" and was not created for this supervisor. To allow Machines in it, ` +
    `label or annotate it there with ${annotations.allowMachines}="true", or ="${supervisor}" for this supervisor only`;
  return problem('namespace', { reason: 'NamespaceNotAllowed', message }, lookAgainMs);
}
