/** What the cluster reports about a Machine, from the caches. Nothing here sends a request. */
import type { ConditionAge } from '@ssvirt/kube/condition-age';
import { vmName } from '../../../kubevirt/machine/names.ts';
import { observeMachine, type MachineObservation } from '../../../kubevirt/status/observe.ts';
import type { TroubleWord } from '../../../kubevirt/status/troubles.ts';
import { byParent } from '../caches.ts';
import { isOurs, type MachineWork } from '../work.ts';

/** Since when a trouble has lasted, by the uid of the Machine. */
export type ObservedTroubles = ConditionAge<TroubleWord>;

/** Undefined if the Machine has no VM. */
export function observe(work: MachineWork, troubles: ObservedTroubles): MachineObservation | undefined {
  const { caches, identity } = work;
  const key = { namespace: identity.namespace, name: vmName(identity.name) };
  const vm = caches.vms.get(key);
  if (vm === undefined || !isOurs(work)(vm)) return undefined;
  const dataVolumes = caches.dataVolumes.informer?.byIndex(byParent, identity.uid).map(({ facts }) => facts) ?? [];
  const vmi = caches.instances.get(key)?.facts;
  const observation = observeMachine({ vm: vm.facts, vmi, dataVolumes }, (word) => troubles.ageOf(identity.uid, word));
  troubles.note(identity.uid, observation.trouble);
  return observation;
}
