/**
 * The VM search: looks for the VirtualMachine of a Machine in several clusters at once. Each cluster has its own
 * deadline, so the whole search takes no longer than one. A cluster that is known not to answer is not asked. "Not
 * found" is trusted only from the right cluster: the fleet's clients check its identity after every "not found".
 */
import { defined } from '@ssvirt/base/values/defined';
import { KubeError, isNotFound } from '@ssvirt/kube/errors';
import { isChildOf } from '@ssvirt/kube/reconcile/owners';
import { FleetError, type Fleet } from '../fleet.ts';
import { localName } from '../kubevirtconfig/kubevirt-config.ts';
import { virtualMachines } from '../kinds.ts';
import type { Candidate } from './placement.ts';
import type { VmSearchResult } from './vm-search-result.ts';

export interface Sought {
  readonly namespace: string;
  /** The name of the VirtualMachine. */
  readonly vmName: string;
  /** The uid of the Machine. */
  readonly uid: string;
}

export interface SearchOptions {
  readonly signal?: AbortSignal;
  /** Per cluster. The default is 10 s. */
  readonly deadlineMs?: number;
}

type Asked = Pick<Fleet, 'getClientForConfig' | 'stateOf'>;

/** `candidates` returns the KubevirtConfigs of the fleet in the form that `place` takes. */
export function candidates(fleet: Pick<Fleet, 'listConfigs' | 'stateOf'>): readonly Candidate[] {
  return fleet.listConfigs().map(({ metadata: { name = '', deletionTimestamp } }) => {
    const message = whyNot(fleet, name);
    return {
      name,
      usable: message === undefined,
      ...defined({ message }),
      ...(deletionTimestamp === undefined ? {} : { leaving: true }),
    };
  });
}

/** `searchVm` returns one result for each cluster in `among`. Rejects only if the signal is aborted. */
export async function searchVm(
  fleet: Asked,
  sought: Sought,
  among: readonly string[],
  { signal, deadlineMs = 10_000 }: SearchOptions = {},
): Promise<ReadonlyMap<string, VmSearchResult>> {
  const answers = await Promise.all(
    among.map(async (name): Promise<[string, VmSearchResult]> => {
      const deadline = AbortSignal.timeout(deadlineMs);
      return [
        name,
        await lookIn(fleet, name, sought, signal === undefined ? deadline : AbortSignal.any([signal, deadline])),
      ];
    }),
  );
  signal?.throwIfAborted();
  return new Map(answers);
}

async function lookIn(fleet: Asked, name: string, sought: Sought, signal: AbortSignal): Promise<VmSearchResult> {
  const silent = whyNot(fleet, name);
  if (silent !== undefined) return { kind: 'unknown', message: silent };
  const { namespace, vmName, uid } = sought;
  try {
    const client = fleet.getClientForConfig(name);
    const found = await client.get(virtualMachines, { namespace, name: vmName }, { metadataOnly: true, signal });
    return { kind: isChildOf(found, { metadata: { uid } }) ? 'ours' : 'foreign' };
  } catch (error) {
    return resultOf(error, vmName);
  }
}

function resultOf(error: unknown, vmName: string): VmSearchResult {
  if (isNotFound(error) && error.status?.details?.name === vmName) return { kind: 'absent' };
  // The path itself does not exist, so this says nothing about VMs.
  if (isNotFound(error)) return { kind: 'unknown', message: 'it does not serve virtualmachines.kubevirt.io/v1' };
  if (error instanceof KubeError && error.kind === 'Aborted') return { kind: 'unknown', message: 'no answer in time' };
  if (error instanceof KubeError || error instanceof FleetError) return { kind: 'unknown', message: error.message };
  throw error;
}

/** Why the cluster need not be asked. One that is only degraded answers. */
function whyNot(fleet: Pick<Fleet, 'stateOf'>, name: string): string | undefined {
  if (name === localName) return undefined;
  const state = fleet.stateOf(name);
  if (state === undefined) return 'it has not been checked yet';
  return state.phase === 'Failed' || state.phase === 'Pending' ? state.message : undefined;
}
