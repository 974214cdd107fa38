/** The children of a Machine in its cluster: those with their expected names, and all others with its label. */
import { defined } from '@ssvirt/base/values/defined';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import { childrenSelector, isChildOf } from '@ssvirt/kube/reconcile/owners';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { attachmentName, cloudInitSecretName, diskName, vmName } from '../../kubevirt/machine/names.ts';
import type { ResolvedMachine } from '../../kubevirt/machine/resolve.ts';
import { sentenceOf } from '../../kubevirt/machine/trouble-words.ts';
import { dataVolumeFacts } from '../../kubevirt/facts/data-volume.ts';
import { fields, known, text } from '../../kubevirt/facts/reading.ts';
import { vmFacts } from '../../kubevirt/facts/vm.ts';
import { vmiFacts } from '../../kubevirt/facts/vmi.ts';
import { observeMachine } from '../../kubevirt/status/observe.ts';
import { seenObject } from '../cluster/child.ts';
import { ClusterReader, type ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import {
  networkAttachments as attachments,
  claims,
  dataVolumes,
  instances,
  secrets,
  virtualMachines,
} from '../../fleet/kinds.ts';
import { type ShownMachine } from './shown-machine.ts';
import type { FoundInMember, SeenMachineChild, SeenVm } from './machine-case.ts';

type Found = readonly [type: ResourceType, name: string, object: KubeObject | undefined];

export async function foundIn(
  asking: ClusterReaderOptions,
  machine: ShownMachine,
  resolved: ResolvedMachine | undefined,
): Promise<FoundInMember> {
  const look = new ClusterReader(asking);
  const { namespace = '' } = machine.metadata;
  const at = async (type: ResourceType, name: string): Promise<Found> => [
    type,
    name,
    await look.at(type, { namespace, name }),
  ];
  const names = namesOf(machine, resolved);
  const [vm, instance] = await Promise.all([at(virtualMachines, names.vm), at(instances, names.vm)]);
  const volumes = await Promise.all(names.disks.map((disk) => at(dataVolumes, disk)));
  const others = await Promise.all([
    ...names.disks.map((disk) => at(claims, disk)),
    at(secrets, names.secret),
    ...names.attachments.map((name) => at(attachments, name)),
  ]);
  const usual = [vm, instance, ...volumes, ...others].filter(isShown);
  const more = await labelled(look, machine, usual);
  const children = [...usual, ...more].map((one) => seenChild(machine, vm[2], one));
  const seenVm = vmOf(vm[2], instance[2], volumes);
  return { children, ...defined({ vm: seenVm }), unread: [...look.unread].toSorted() };
}

interface Names {
  readonly vm: string;
  readonly disks: readonly string[];
  readonly secret: string;
  readonly attachments: readonly string[];
}

function namesOf({ metadata: { name = '' } }: ShownMachine, resolved: ResolvedMachine | undefined): Names {
  const networks = (resolved?.networks ?? []).flatMap(({ networkName }) => networkName ?? []);
  return {
    vm: vmName(name),
    disks: (resolved?.disks ?? []).map((disk) => diskName(name, disk.name)),
    secret: cloudInitSecretName(name),
    attachments: [...new Set(networks)].map(attachmentName),
  };
}

/**
 * A Secret is created only for long cloud-init, and a DataVolume only for disks with a source: their absence is not
 * shown.
 */
function isShown([type, , object]: Found): boolean {
  return object !== undefined || (type !== secrets && type !== dataVolumes);
}

async function labelled(
  look: ClusterReader,
  machine: ShownMachine,
  usual: readonly Found[],
): Promise<readonly Found[]> {
  const { namespace = '' } = machine.metadata;
  const kinds = [virtualMachines, instances, dataVolumes, claims, secrets];
  const found = await Promise.all(
    kinds.map(async (type) =>
      (await look.labelled(type, namespace, childrenSelector(machine))).map((object): Found => [
        type,
        object.metadata.name ?? '',
        object,
      ]),
    ),
  );
  return found.flat().filter(([type, name]) => !usual.some(([one, other]) => one === type && other === name));
}

function seenChild(machine: ShownMachine, vm: KubeObject | undefined, [type, name, object]: Found): SeenMachineChild {
  const seen = seenObject(type.kind, name, object);
  return object === undefined ? seen : { ...seen, whose: whoseIs(machine, vm, type, object) };
}

/** KubeVirt and CDI create instances and claims for the Machine's objects. */
function whoseIs(
  machine: ShownMachine,
  vm: KubeObject | undefined,
  type: ResourceType,
  object: KubeObject,
): NonNullable<SeenMachineChild['whose']> {
  if (isChildOf(object, machine)) return "the Machine's";
  if (type === attachments) return 'shared';
  const owners = (object.metadata.ownerReferences ?? []).map(({ uid, name }) => `${uid} ${name}`);
  const isOfVm =
    vm !== undefined && isChildOf(vm, machine) && owners.includes(`${vm.metadata.uid} ${vm.metadata.name}`);
  return isOfVm ? "the Machine's" : "another's";
}

function vmOf(
  vm: KubeObject | undefined,
  instance: KubeObject | undefined,
  volumes: readonly Found[],
): SeenVm | undefined {
  if (vm === undefined) return undefined;
  const facts = volumes.flatMap(([, , object]) => (object === undefined ? [] : [dataVolumeFacts(object)]));
  const vmi = instance === undefined ? undefined : vmiFacts(instance);
  // There is no history of observations, so any problem counts as old.
  const seen = observeMachine({ vm: vmFacts(vm), vmi, dataVolumes: facts }, () => Number.MAX_SAFE_INTEGER);
  return known<SeenVm>({
    printableStatus: text(fields((vm as Unstructured)['status'])['printableStatus'], 64),
    status: seen.status,
    node: seen.node,
    addresses: seen.ipAddresses,
    fault: sentenceOf(seen),
  });
}
