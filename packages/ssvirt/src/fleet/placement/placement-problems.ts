/**
 * Why a Machine is not placed, and the ways out. The messages begin with the words of the troubleshooting section of
 * the multi-cluster design.
 */
import { annotations, type MachineProblem } from '../../kubevirt/machine/resource.ts';
import { vmName } from '../../kubevirt/machine/names.ts';
import type { MachineToPlace } from './placement.ts';

type Named = Pick<MachineToPlace, 'name' | 'namespace'>;

const vmOf = ({ name, namespace }: Named): string => `VirtualMachine "${namespace}/${vmName(name)}"`;

const nameOne = `name the cluster in spec.kubevirtConfigRef or in the annotation ${annotations.kubevirtConfig}`;

export function conflict(field: string, annotation: string): MachineProblem {
  const message =
    `spec.kubevirtConfigRef is "${field}" and the annotation ${annotations.kubevirtConfig} is "${annotation}": ` +
    'a Machine runs on one cluster. Make them the same, or remove one of them';
  return { reason: 'PlacementConflict', message };
}

export function noConfigs(namespace: string | undefined): MachineProblem {
  const message =
    'Machine has no KubevirtConfig reference and no KubevirtConfigs are available: ' +
    `create at least one KubevirtConfig ${inNamespace(namespace)}, with a Secret that holds the kubeconfig. With a single one, Machines use it without naming it`;
  return { reason: 'NoKubevirtConfigs', message };
}

export function unknownConfig(
  name: string,
  where: string,
  there: readonly string[],
  namespace: string | undefined,
): MachineProblem {
  const message =
    `Failed to get KubeVirt client for machine: KubevirtConfig "${name}" (${where}) is not found ${inNamespace(namespace)}; ` +
    `${available(there)}. Create it, or name another`;
  return { reason: 'KubevirtConfigNotFound', message };
}

export function localServesNothing(where: string, there: readonly string[]): MachineProblem {
  const message =
    `Failed to get KubeVirt client for machine: the supervisor's own cluster "local" (${where}) serves no KubeVirt; ` +
    `${available(there)}. Install KubeVirt there, or name another`;
  return { reason: 'KubevirtConfigNotFound', message };
}

export function leavingConfig(name: string): MachineProblem {
  const message =
    `Failed to get KubeVirt client for machine: KubevirtConfig "${name}" is being deleted, and nothing new is placed there. ` +
    `Wait until it is gone and create it again, or ${nameOne}`;
  return { reason: 'ClusterUnavailable', message };
}

export function cannotDetermine(machine: Named, among: readonly string[]): MachineProblem {
  const message =
    `Machine has no KubevirtConfig reference and ${among.length} configs are available - cannot determine placement: ` +
    `${vmOf(machine)} exists in none of ${list(among)}. Add the annotation ${annotations.kubevirtConfig}: <name> or ` +
    'spec.kubevirtConfigRef with one of them, or set DEFAULT_KUBEVIRT_CONFIG for all Machines';
  return { reason: 'PlacementAmbiguous', message };
}

export function foundInSeveral(machine: Named, where: readonly string[]): MachineProblem {
  const message =
    `Machine has no KubevirtConfig reference and ${vmOf(machine)} exists in ${where.length} clusters, ` +
    `${list(where)} - cannot determine placement: ${nameOne}, or delete those that are not wanted`;
  return { reason: 'PlacementAmbiguous', message };
}

export function notAnswered(
  machine: Named,
  silent: readonly { readonly name: string; readonly why: string }[],
): MachineProblem {
  const whys = silent.map((one) => `${one.name} (${one.why})`).join('; ');
  const message =
    `Failed to get VirtualMachine from remote cluster: ${whys}. ${vmOf(machine)} may exist there, and a cluster that does not ` +
    `answer is not one that has none. Bring ${silent.length === 1 ? 'it' : 'them'} back, or ${nameOne}`;
  return { reason: 'ClusterUnavailable', message };
}

export function neverReached(config: string, why: string): MachineProblem {
  const message =
    `${why.replace(/[\s.]+$/, '')}. The Machine goes to "${config}" when that cluster is back. Nothing was created for it yet: ` +
    `to run it elsewhere, ${nameOne}`;
  return { reason: 'ClusterUnavailable', message };
}

export function adoptionRefused(machine: Named, where: readonly string[]): MachineProblem {
  const message =
    `Machine has no KubevirtConfig reference and ${vmOf(machine)} exists in ${list(where)}, ` +
    `which was not created for it. Set the annotation ${annotations.adopt}: "true" to take it over, or ${nameOne} to create a new one elsewhere`;
  return { reason: 'AdoptionRefused', message };
}

const list = (names: readonly string[]): string => names.join(', ');

const available = (names: readonly string[]): string =>
  names.length === 0 ? 'there are no KubevirtConfigs' : `available are ${list(names)}`;

const inNamespace = (namespace: string | undefined): string =>
  namespace === undefined ? 'in the configured namespace' : `in namespace "${namespace}"`;
