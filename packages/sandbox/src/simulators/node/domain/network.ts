/** The interfaces of a guest, as the domain and the guest agent report them. */
import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '../../../values/json.ts';
import { listAt, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import type { VirtualMachineInstance } from '../../kubevirt/objects.ts';
import { devicesOf } from './step.ts';

/** Derived from the uid, so that it is always the same. */
export function macOf(vmi: VirtualMachineInstance, nic: JsonObject, place: number): string {
  const given = textAt(nic, 'macAddress');
  if (given !== '') return given;
  const hash = createHash('sha256')
    .update(`${vmi.metadata.uid ?? ''}/${place}`)
    .digest();
  return ['02', ...[...hash.subarray(0, 5)].map((byte) => byte.toString(16).padStart(2, '0'))].join(':');
}

export function podNetworkOf(vmi: VirtualMachineInstance): string | undefined {
  const network = (vmi.spec.networks ?? []).find((one) => isObject(one['pod']));
  return network === undefined ? undefined : textAt(network, 'name');
}

export function interfaces(vmi: VirtualMachineInstance, podIP: string | undefined, agent: boolean): JsonObject[] {
  const known = vmi.status?.interfaces ?? [];
  const podNetwork = podNetworkOf(vmi);
  const nics = listAt(devicesOf(vmi), 'interfaces');
  const all = nics.map((nic, place) => {
    const name = textAt(nic, 'name');
    const before = known.find((one) => one['name'] === name);
    const addresses = name === podNetwork && podIP !== undefined ? [podIP] : [];
    return {
      infoSource: sources(before, agent),
      ...(agent ? { interfaceName: `enp${place + 1}s0` } : {}),
      ...(addresses.length === 0 ? {} : { ipAddress: addresses[0], ipAddresses: addresses }),
      linkState: textAt(nic, 'state') === 'down' ? 'down' : 'up',
      mac: macOf(vmi, nic, place),
      name,
      podInterfaceName: textAt(before, 'podInterfaceName') || (name === podNetwork ? 'eth0' : `pod${place}`),
      queueCount: 1,
    };
  });
  // The pod network comes first.
  return [...all.filter((one) => one['name'] === podNetwork), ...all.filter((one) => one['name'] !== podNetwork)];
}

function sources(before: JsonObject | undefined, agent: boolean): string {
  const multus = textAt(before, 'infoSource').includes('multus-status') ? ['multus-status'] : [];
  return ['domain', ...(agent ? ['guest-agent'] : []), ...multus].join(', ');
}

/** Why the network prevents a migration, in KubeVirt's words. */
export function networkObstacle(vmi: VirtualMachineInstance): string | undefined {
  const podNetwork = podNetworkOf(vmi);
  const nic = listAt(devicesOf(vmi), 'interfaces').find((one) => textAt(one, 'name') === podNetwork);
  if (nic === undefined || podNetwork === undefined || objectAt(nic, 'masquerade') !== undefined) return undefined;
  const allowed = vmi.metadata.annotations?.['kubevirt.io/allow-pod-bridge-network-live-migration'] !== undefined;
  if (objectAt(nic, 'bridge') === undefined || allowed) return undefined;
  return 'cannot migrate VMI which does not use masquerade, bridge with kubevirt.io/allow-pod-bridge-network-live-migration VM annotation or a migratable plugin to connect to the pod network';
}
