/**
 * From a Machine to the cluster on which it runs or will run: placement with all that the fleet knows, and with a VM
 * search if necessary.
 */
import type { Client } from '@ssvirt/kube/client/client';
import type { KubeObject } from '@ssvirt/kube/object';
import { vmName } from '../../kubevirt/machine/names.ts';
import { annotations, type MachineProblem } from '../../kubevirt/machine/resource.ts';
import { FleetError, type Fleet, type FleetErrorKind } from '../fleet.ts';
import { localName } from '../kubevirtconfig/kubevirt-config.ts';
import { place, type MachineToPlace, type Placement, type PlacementQuestion } from './placement.ts';
import { candidates, searchVm, type SearchOptions } from './vm-search.ts';

/** `PlaceableMachine` holds the fields of a Machine that placement reads. */
export interface PlaceableMachine extends KubeObject {
  readonly spec?: { readonly kubevirtConfigRef?: string };
  readonly status?: { readonly kubevirtConfigRef?: string };
}

export function machineToPlace({ metadata, spec, status }: PlaceableMachine): MachineToPlace {
  const { name = '', namespace = '', uid = '', annotations: notes } = metadata;
  return {
    name,
    namespace,
    uid,
    adopt: notes?.[annotations.adopt] === 'true',
    field: spec?.kubevirtConfigRef,
    annotation: notes?.[annotations.kubevirtConfig],
    status: status?.kubevirtConfigRef,
  };
}

export interface PlaceOptions extends SearchOptions, Pick<PlacementQuestion, 'defaultConfig' | 'configsNamespace'> {}

type Asked = Pick<Fleet, 'cluster' | 'listConfigs' | 'stateOf' | 'getClientForConfig'>;

/** `placeMachine` rejects only if the signal is aborted. */
export async function placeMachine(
  fleet: Asked,
  machine: PlaceableMachine,
  { defaultConfig, configsNamespace, ...search }: PlaceOptions = {},
): Promise<Exclude<Placement, { kind: 'search' }>> {
  const sought = machineToPlace(machine);
  const ask = (searchResults: PlacementQuestion['searchResults']): Placement =>
    place({
      machine: sought,
      defaultConfig,
      configsNamespace,
      configs: candidates(fleet),
      localServes: fleet.cluster(localName) !== undefined,
      searchResults,
    });
  const first = ask(undefined);
  if (first.kind !== 'search') return first;
  const { namespace, uid, name } = sought;
  const searchResults = await searchVm(fleet, { namespace, uid, vmName: vmName(name) }, first.among, search);
  const second = ask(searchResults);
  if (second.kind === 'search') throw new Error('placement requested a second search');
  return second;
}

export async function clientForMachine(
  fleet: Asked,
  machine: PlaceableMachine,
  options: PlaceOptions,
): Promise<Client> {
  const placement = await placeMachine(fleet, machine, options);
  if (placement.kind === 'refused') throw new FleetError(kindOf(placement.problem), '', placement.problem.message);
  try {
    return fleet.getClientForConfig(placement.config);
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    const message = `Failed to get KubeVirt client for machine: ${error.message}`;
    throw new FleetError(error.kind, error.cluster, message, error);
  }
}

function kindOf({ reason }: MachineProblem): FleetErrorKind {
  if (reason === 'KubevirtConfigNotFound') return 'ClusterNotFound';
  return reason === 'ClusterUnavailable' ? 'ClusterUnavailable' : 'NotPlaced';
}
