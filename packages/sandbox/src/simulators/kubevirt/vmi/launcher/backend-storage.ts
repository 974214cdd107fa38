/** Where a launcher keeps the state of a persistent TPM or EFI: one small PVC with a directory for each. */
import type { JsonObject } from '../../../../values/json.ts';
import type { VirtualMachineInstance } from '../../objects.ts';
import { domainOf } from '../domain.ts';
import type { Mounted } from './volumes.ts';

const STATE = 'vm-state';
const LIBVIRT = '/var/run/kubevirt-private/libvirt';

export function backendMounts({ volumes, mounts }: Mounted, vmi: VirtualMachineInstance, claimName: string): void {
  const { devices, firmware } = domainOf(vmi);
  const state = (mountPath: string, subPath: string): JsonObject => ({ name: STATE, mountPath, subPath });
  volumes.push(
    { name: STATE, persistentVolumeClaim: { claimName } },
    { name: 'private-libvirt', emptyDir: {} },
    { name: 'private-libvirt-qemu', emptyDir: {} },
  );
  mounts.push(
    state('/run/kubevirt-private/backend-storage-meta', 'meta'),
    { name: 'private-libvirt', mountPath: LIBVIRT },
    { name: 'private-libvirt-qemu', mountPath: `${LIBVIRT}/qemu` },
  );
  if (devices.tpm?.persistent === true)
    mounts.push(
      state(`${LIBVIRT}/qemu/swtpm`, 'swtpm'),
      state('/var/run/kubevirt-private/var/lib/swtpm-localca', 'swtpm-localca'),
    );
  if (firmware?.bootloader?.efi?.persistent === true) mounts.push(state(`${LIBVIRT}/qemu/nvram`, 'nvram'));
}
