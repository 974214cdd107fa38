/** One Machine and the member that it runs on, as the steps receive them. */
import { defined } from '@ssvirt/base/values/defined';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { ClusterContext } from '@ssvirt/kube/controller/workers';
import type { KubeObject } from '@ssvirt/kube/object';
import { controllerReference, isChildOf, parentMarks } from '@ssvirt/kube/reconcile/owners';
import { localName } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { formedSpec } from '../../kubevirt/machine/form.ts';
import { annotations } from '../../kubevirt/machine/resource.ts';
import type { MachineIdentity } from '../../kubevirt/machine/identity.ts';
import type { MemberCaches } from './caches.ts';
import { machines, type Machine } from './machine-types.ts';
import type { MachineOperatorContext } from './operator.ts';

export interface MachineWork {
  readonly operator: MachineOperatorContext;
  readonly machine: Machine;
  readonly identity: MachineIdentity;
  /** Its client refuses to write when leadership may be lost. */
  readonly member: Cluster;
  readonly caches: MemberCaches;
  readonly context: ClusterContext;
  readonly signal: AbortSignal;
}

export function workOn(operator: MachineOperatorContext, found: Machine, context: ClusterContext): MachineWork {
  // The answer to a write did not pass through the cache, which normalizes the spec.
  const spec = formedSpec(found.spec);
  const machine = spec === found.spec ? found : { ...found, spec };
  const { cluster: member, signal } = context;
  const { name = '', namespace = '', uid = '', labels = {} } = machine.metadata;
  const identity: MachineIdentity = {
    name,
    namespace,
    uid,
    labels,
    supervisor: operator.supervisor.identity,
    marks: parentMarks(machines, machine),
    ...defined({ restart: machine.metadata.annotations?.[annotations.restart] }),
    ...(member.name === localName ? { owner: controllerReference(machines, machine) } : {}),
  };
  return { operator, machine, identity, member, caches: operator.caches(member), context, signal };
}

export function isOurs({ machine }: MachineWork): (object: KubeObject) => boolean {
  return (object) => isChildOf(object, machine);
}
