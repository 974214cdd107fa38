/** Converts a batch of observations to a parameter, and the answer to results in the batch's order. */
import type { WriteOutcome, VmBatch, VmBatchResult, VmStatus, WriteResult } from './contracts.ts';
import { jsonParameter } from './json.ts';

/** The place in the batch (null: about a row, whichever observation it is for), row id, outcome, old and new status. */
export type AnswerRow = [
  place: number | null,
  vmId: string | null,
  outcome: WriteOutcome | null,
  oldStatus: VmStatus | null,
  newStatus: VmStatus | null,
];

/** Deletions come after the observations. */
export function batchParameter({ observations, deletions }: VmBatch): string {
  return jsonParameter([
    ...observations.map((seen, place) => ({
      place,
      gone: false,
      cluster: seen.cluster,
      namespace: seen.namespace,
      name: seen.name,
      uid: seen.uid,
      generation: seen.generation,
      returned: seen.returned,
      vapp_id: seen.vappId,
      vapp_name: seen.vappName,
      status: seen.status,
      debouncing: seen.debouncing,
      busy: seen.busy,
      restart_required: seen.restartRequired,
      fault_reason: seen.faultReason,
      fault: seen.fault,
      trouble: seen.trouble,
      cpu_count: seen.cpuCount,
      memory_mb: seen.memoryMb,
      guest_os: seen.guestOs,
      ip_addresses: seen.ipAddresses,
      node: seen.node,
      host_name: seen.hostName,
      disks: seen.disks,
    })),
    ...deletions.map(({ cluster, uid }, i) => ({ place: observations.length + i, gone: true, cluster, uid })),
  ]);
}

export function batchResult({ observations, deletions }: VmBatch, rows: readonly AnswerRow[]): VmBatchResult {
  // An entry that the statement does not answer has no row and gets none.
  const length = observations.length + deletions.length;
  const results = Array.from({ length }, (): WriteResult => ({ outcome: 'unmanaged' }));
  const updated = new Map<string, VmStatus | null>();
  for (const row of rows) {
    const [place, vmId, , , newStatus] = row;
    if (place !== null) results[place] = resultOf(row);
    else if (vmId !== null) updated.set(vmId, newStatus);
  }
  const final = results.map((result) => settled(result, updated));
  return { observations: final.slice(0, observations.length), deletions: final.slice(observations.length) };
}

/** The statement answers `locked` for every row that differs; a row that it changed counts as `updated`. */
function settled(result: WriteResult, updated: ReadonlyMap<string, VmStatus | null>): WriteResult {
  if (result.outcome !== 'locked' || result.vmId === undefined) return result;
  const newStatus = updated.get(result.vmId) ?? undefined;
  return newStatus === undefined ? result : { ...result, outcome: 'updated', newStatus };
}

function resultOf([, vmId, outcome, oldStatus, newStatus]: AnswerRow): WriteResult {
  return {
    outcome: outcome ?? 'unmanaged',
    ...(vmId === null ? {} : { vmId }),
    ...(oldStatus === null ? {} : { oldStatus }),
    ...(newStatus === null ? {} : { newStatus }),
  };
}
