/**
 * What the objects of a vApp and of a machine say of themselves. A label value takes no `:` and no free text: labels carry bare uuids, annotations URNs and
 * names. The labels never change; the names do.
 */
import { labels as common, managedBy } from '../vdc/labels.ts';

export const labels = {
  ...common,
  /** By these two the objects of a vApp and of a virtual data center are found, whatever their kind. */
  vappId: 'vapp.ssvirt.io/vapp-id',
  ofVdc: 'vdc.ssvirt.io/vdc-id',
  vmId: 'ssvirt.io/vm-id',
  /** Nobody sets it but people, by convention: Services find the instance by it. */
  kubevirtVm: 'kubevirt.io/vm',
} as const;

export const annotations = {
  vmUrn: 'ssvirt.io/vm-urn',
  vmName: 'ssvirt.io/vm-name',
  vappName: 'ssvirt.io/vapp-name',
  vmDescription: 'ssvirt.io/vm-description',
} as const;

export type Texts = Readonly<Record<string, string>>;

/** All ids are bare uuids. */
export interface VappIdentity {
  readonly installationId: string;
  readonly organizationId: string;
  readonly vdcId: string;
  readonly namespace: string;
  readonly vappId: string;
  readonly vappName: string;
}

export interface MachineIdentity extends VappIdentity {
  readonly vmId: string;
  /** As the cluster knows it. */
  readonly vmName: string;
  /** As people know it. */
  readonly name: string;
  readonly description: string;
}

export function vappLabels({ installationId, organizationId, vdcId, vappId }: VappIdentity): Texts {
  return {
    [labels.managedBy]: managedBy,
    [labels.installationId]: installationId,
    [labels.organizationId]: organizationId,
    [labels.vdcId]: vdcId,
    [labels.ofVdc]: vdcId,
    [labels.vappId]: vappId,
  };
}

/** Of the VirtualMachine, and of all that is made for it. */
export function machineLabels(machine: MachineIdentity): Texts {
  return { ...vappLabels(machine), [labels.vmId]: machine.vmId };
}

/** Of its instances and their pods: KubeVirt gives them what the template in the VirtualMachine says, and nothing of the machine's own. */
export function instanceLabels(machine: MachineIdentity): Texts {
  return { ...machineLabels(machine), [labels.kubevirtVm]: machine.vmName };
}

export function machineAnnotations({
  vmId,
  name,
  vappName,
  description,
}: Pick<MachineIdentity, 'vmId' | 'name' | 'vappName' | 'description'>): Texts {
  return {
    [annotations.vmUrn]: `urn:vcloud:vm:${vmId}`,
    [annotations.vmName]: name,
    [annotations.vappName]: vappName,
    [annotations.vmDescription]: description,
  };
}
