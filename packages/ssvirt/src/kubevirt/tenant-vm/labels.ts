/**
 * Labels and annotations of the objects of a vApp and of a VM. A label value allows no `:` and no free text: labels
 * carry bare uuids, annotations carry URNs and names. The labels never change; the names do.
 */
import { labels as common, managedBy } from '../vdc/labels.ts';

export const labels = {
  ...common,
  /** These two labels select the objects of a vApp and of a VDC, whatever their kind. */
  vappId: 'vapp.ssvirt.io/vapp-id',
  ofVdc: 'vdc.ssvirt.io/vdc-id',
  vmId: 'ssvirt.io/vm-id',
  /** A convention that KubeVirt itself does not set: Services find the instance by it. */
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

export interface VmIdentity extends VappIdentity {
  readonly vmId: string;
  /** The name in the cluster. */
  readonly vmName: string;
  /** The name that users see. */
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

/** For the VirtualMachine and everything that is created for it. */
export function machineLabels(machine: VmIdentity): Texts {
  return { ...vappLabels(machine), [labels.vmId]: machine.vmId };
}

/**
 * For its instances and their pods: KubeVirt copies labels from the template in the VirtualMachine, and none from the
 * VirtualMachine's own metadata.
 */
export function instanceLabels(machine: VmIdentity): Texts {
  return { ...machineLabels(machine), [labels.kubevirtVm]: machine.vmName };
}

export function machineAnnotations({
  vmId,
  name,
  vappName,
  description,
}: Pick<VmIdentity, 'vmId' | 'name' | 'vappName' | 'description'>): Texts {
  return {
    [annotations.vmUrn]: `urn:vcloud:vm:${vmId}`,
    [annotations.vmName]: name,
    [annotations.vappName]: vappName,
    [annotations.vmDescription]: description,
  };
}
