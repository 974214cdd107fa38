/** The memory that a launcher pod needs in addition to the guest's, by virt-controller's estimate. */
import type { VirtualMachineInstance } from '../../objects.ts';
import { domainOf, isCpuDedicated, vcpusOf, wantsGuaranteed, type VmiDomain } from '../domain.ts';
import { bytesOf } from './quantities.ts';

const MI = 1024 * 1024;
/** virt-launcher-monitor, virt-launcher, virtlogd, virtqemud, qemu. */
const PROCESSES = (25 + 100 + 25 + 40 + 30) * MI;
const PER_VCPU = 8 * MI;
const IO_THREAD = 8 * MI;
const GRAPHICS = 32 * MI;
const ARM_FIRMWARE = 128 * MI;
const VFIO = 1024 * MI;
const SEV = 256 * MI;
const TPM = 53 * MI;
const GUARANTEED = 100 * MI;
const EXEC_PROBE = 10 * MI;
const EXEC_PROBES = 100 * MI;

export function memoryOverhead(vmi: VirtualMachineInstance): number {
  const domain = domainOf(vmi);
  const { devices, launchSecurity } = domain;
  const vfio = [...(devices.gpus ?? []), ...(devices.hostDevices ?? [])].length > 0 || hasSriov(domain);
  const sev = launchSecurity?.['sev'] !== undefined || launchSecurity?.['snp'] !== undefined;
  return (
    pageTables(domain) +
    PROCESSES +
    PER_VCPU * vcpusOf(domain.cpu) +
    IO_THREAD +
    (devices.autoattachGraphicsDevice === false ? 0 : GRAPHICS) +
    (vmi.spec['architecture'] === 'arm64' ? ARM_FIRMWARE : 0) +
    (vfio ? VFIO : 0) +
    (vmi.spec.volumes?.some((volume) => volume['downwardMetrics'] !== undefined) === true ? MI : 0) +
    execProbes(vmi) +
    (sev ? SEV : 0) +
    (devices.tpm !== undefined && devices.tpm.enabled !== false ? TPM : 0) +
    (isCpuDedicated(domain) || wantsGuaranteed(domain) ? GUARANTEED : 0)
  );
}

const hasSriov = ({ devices }: VmiDomain): boolean =>
  devices.interfaces?.some(({ sriov }) => sriov !== undefined) === true;

/** One bit for every 512 bytes of the pod's requested memory, rounded up to whole thousands. */
function pageTables({ resources }: VmiDomain): number {
  return Math.floor((Math.ceil(bytesOf(resources?.requests?.['memory']) / 1000) * 1000) / 512);
}

function execProbes({ spec }: VirtualMachineInstance): number {
  const probes = ['livenessProbe', 'readinessProbe'].filter(
    (name) => (spec[name] as { readonly exec?: unknown } | undefined)?.exec !== undefined,
  ).length;
  return probes === 0 ? 0 : EXEC_PROBES + probes * EXEC_PROBE;
}
