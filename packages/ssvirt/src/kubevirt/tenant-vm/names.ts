/**
 * The names of a VM's objects. The VM's own name in the cluster is chosen once, with the row: people rename VMs, a
 * cluster cannot.
 */
import { shortId, shortIdLength, slug } from '../slug.ts';

/** A DNS label: KubeVirt derives the guest's host name and labels from it. */
const maxLength = 63;
const slugLength = maxLength - shortIdLength - '-'.length;

/** `machineName` returns the VirtualMachine: `<name>-<8 digits of its uuid>`, so that two VMs of one name never collide in a namespace. */
export function machineName(name: string, id: string): string {
  return `${slug(name, 'vm', slugLength)}-${shortId(id)}`;
}

/**
 * The guest's host name: the name of the VM, as far as a host name can have its characters. Empty if nothing is left;
 * then KubeVirt takes the name of the VirtualMachine.
 */
export function hostNameFor(name: string): string {
  return slug(name, '', maxLength);
}

/**
 * The TemplateInstance of a vApp. The name must be stored (`VappSpec.instance`): the vApp may be renamed while the
 * instance exists.
 */
export function instanceName({ vappName, vappId }: { readonly vappName: string; readonly vappId: string }): string {
  return `${slug(vappName, 'vapp', slugLength)}-${shortId(vappId)}`;
}

/** `parameterSecretName` returns the Secret with the values of its parameters. */
export function parameterSecretName(instance: string): string {
  return `${instance}-parameters`;
}

/**
 * The Secrets of a VM. They hold passwords and keys, which must not be in the VirtualMachine: more people may read
 * that.
 */
export function secretNames(vmName: string): { readonly cloudInit: string; readonly ssh: string } {
  return { cloudInit: `${vmName}-cloudinit`, ssh: `${vmName}-ssh` };
}

/** `dataVolumeName` returns the DataVolume of a disk, and its claim. */
export function dataVolumeName(vmName: string, disk: string): string {
  return `${vmName}-${disk}`;
}
