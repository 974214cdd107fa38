/**
 * The ResourceQuota of a VDC is the second line of defense: the allocation is enforced in the database when a request
 * is made. It must never refuse what the database has allowed, so it leaves room for what KubeVirt and CDI need beside
 * the guests:
 *
 * - a launcher requests the guest's memory and an overhead: about 300 MiB for a small VM (recorded: 557 MiB for a guest
 *   of 256), more with page tables, vCPUs and devices;
 * - a live migration has two launchers of one VM, and all VMs may migrate at once when nodes are drained;
 * - a disk is requested with the overhead of its file system, and while CDI fills it there are up to three claims of
 *   its size: its own, the one that is filled in its place on CSI storage (`prime-…`), and scratch space.
 *
 * There is no key for CPU: a launcher requests a tenth of its vCPUs, so a quota of pods bounds none. There is no
 * `limits.*`: with it KubeVirt would set limits on launchers by itself, and a guest could be killed for its overhead.
 */
import type { VdcDescription } from './description.ts';

const overheadMb = 512;
/** Page tables and everything else that grows with the guest. */
const overheadShare = 1 / 16;
/** If VMs are not counted: as many of the smallest VMs as fit into the memory. */
const smallestMachineMb = 64;
const fileSystemShare = 1 / 8;
const launchersAtOnce = 2;
const claimsAtOnce = 3;

export function quotaOf({ vmQuota, memoryLimitMb, storageLimitMb }: VdcDescription): Readonly<Record<string, string>> {
  const machines = vmQuota > 0 ? vmQuota : Math.ceil(memoryLimitMb / smallestMachineMb);
  const memory = launchersAtOnce * (memoryLimitMb * (1 + overheadShare) + machines * overheadMb);
  const storage = claimsAtOnce * storageLimitMb * (1 + fileSystemShare);
  return {
    ...(vmQuota > 0 ? { 'count/virtualmachines.kubevirt.io': String(vmQuota) } : {}),
    ...(memoryLimitMb > 0 ? { 'requests.memory': mebibytes(memory) } : {}),
    ...(storageLimitMb > 0 ? { 'requests.storage': mebibytes(storage) } : {}),
  };
}

function mebibytes(amount: number): string {
  return `${Math.ceil(amount)}Mi`;
}
