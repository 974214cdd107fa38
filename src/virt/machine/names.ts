/** What the objects of a machine are called. Its own name is chosen once, with the row: people rename machines, a cluster does not. */
import { shortId, shortIdLength, slug } from '../slug.ts';

/** A DNS label: KubeVirt makes the guest's host name and labels of it. */
const maxLength = 63;
const slugLength = maxLength - shortIdLength - '-'.length;

/** The VirtualMachine: `<name>-<8 digits of its uuid>`, so that two machines of one name never meet in a namespace. */
export function machineName(name: string, id: string): string {
  return `${slug(name, 'vm', slugLength)}-${shortId(id)}`;
}

/** The TemplateInstance of a vApp. It is to be kept (`VappSpec.instance`): the vApp may get another name while it is there. */
export function instanceName({ vappName, vappId }: { readonly vappName: string; readonly vappId: string }): string {
  return `${slug(vappName, 'vapp', slugLength)}-${shortId(vappId)}`;
}

/** The Secret with the values of its parameters. */
export function parameterSecretName(instance: string): string {
  return `${instance}-parameters`;
}

/** What a machine gets from Secrets. They hold passwords and keys: nothing of them stands in the VirtualMachine, which more people may read. */
export function secretNames(vmName: string): { readonly cloudInit: string; readonly ssh: string } {
  return { cloudInit: `${vmName}-cloudinit`, ssh: `${vmName}-ssh` };
}

/** The DataVolume, and with it the claim, of a disk. */
export function dataVolumeName(vmName: string, disk: string): string {
  return `${vmName}-${disk}`;
}
