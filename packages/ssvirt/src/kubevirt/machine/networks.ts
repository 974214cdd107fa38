/** The networks of a Machine: the interfaces of its VM, and the NetworkAttachmentDefinitions that they need. */
import { defined } from '@ssvirt/base/values/defined';
import { fields, text, type Fields } from '../facts/reading.ts';
import type { KubeLike } from '../tenant-vm/kube-like.ts';
import type { AdoptedSettings } from './adopted.ts';
import { sharedMetadata, type MachineIdentity } from './identity.ts';
import { attachmentName, macAddress } from './names.ts';
import { orProblem, refuse } from './problem.ts';
import type { ResolvedMachine } from './resolve.ts';
import type { NetworkConfigurationSpec, NetworkSpec, MachineProblem } from './resource.ts';

export interface ResolvedNetwork {
  readonly name: string;
  /** The NetworkConfiguration; absent for the pod network. */
  readonly networkName?: string;
  /** The NetworkAttachmentDefinition, in the Machine's namespace. */
  readonly attachment?: string;
  /** Of the NetworkConfiguration. */
  readonly settings?: NetworkSettings;
  readonly model: NonNullable<NetworkSpec['model']>;
  /** Lower case, with colons; an adopted address stays as it was written. */
  readonly macAddress: string;
  /** The adopted interface without the name: model, binding and address stay. */
  readonly adopted?: { readonly device: Fields; readonly network: Fields };
}

export interface NetworkSettings {
  readonly bridge: string;
  readonly vlan: number;
  readonly mtu?: number;
}

export interface ResolvedNetworks {
  readonly networks: readonly ResolvedNetwork[];
  /** Other Machines of the namespace share them: they name no parent. */
  readonly attachments: readonly KubeLike[];
}

const defaultNetwork: NetworkSpec = { name: 'default' };
const defaultBridge = 'br0';
const defaultModel = 'virtio';

export function resolveNetworks(
  identity: MachineIdentity,
  { networks, adopted }: Pick<ResolvedMachine, 'networks' | 'adopted'>,
  configurations: ReadonlyMap<string, NetworkConfigurationSpec>,
): ResolvedNetworks | { readonly problem: MachineProblem } {
  return orProblem(() => {
    // An adopted VM has its own interfaces, unless the Machine states some.
    const all = networks.length === 0 && (adopted?.interfaces ?? []).length === 0 ? [defaultNetwork] : networks;
    const resolved = all.map((network) => resolvedNetwork(identity, network, adopted));
    refuseSharedAddresses(resolved);
    const names = [...new Set(all.map(({ networkName }) => networkName).filter((name) => name !== undefined))];
    return {
      networks: resolved.map((network) => withSettings(network, configurations)),
      attachments: names.map((name) => attachment(identity, name, configured(identity, name, configurations))),
    };
  });
}

function withSettings(
  network: ResolvedNetwork,
  configurations: ReadonlyMap<string, NetworkConfigurationSpec>,
): ResolvedNetwork {
  const found = network.networkName === undefined ? undefined : configurations.get(network.networkName);
  if (found === undefined) return network;
  const { bridge = defaultBridge, vlan = 0, mtu } = found;
  return { ...network, settings: { bridge, vlan, ...defined({ mtu }) } };
}

function resolvedNetwork(
  identity: MachineIdentity,
  network: NetworkSpec,
  adopted: AdoptedSettings | undefined,
): ResolvedNetwork {
  const { name, networkName, model = defaultModel, macAddress: said } = network;
  const had = adopted?.interfaces.find((one) => one.name === name);
  const attachment = networkName === undefined ? undefined : attachmentName(networkName);
  const address = said === undefined ? undefined : saidAddress(name, said);
  const before = text(had?.device['macAddress']);
  return {
    name,
    ...(networkName === undefined || attachment === undefined ? {} : { networkName, attachment }),
    model,
    macAddress: address ?? before ?? macAddress(identity.uid, name),
    ...(had === undefined || !isOnSame(identity, had.network, attachment)
      ? {}
      : {
          adopted: {
            device: {
              ...had.device,
              // The CRD fills in virtio as default, so only another model counts as stated.
              ...(model === defaultModel ? {} : { model }),
              ...(address === undefined || address === before?.toLowerCase() ? {} : { macAddress: address }),
            },
            network: had.network,
          },
        }),
  };
}

/** Whether the interface is on that network already. */
function isOnSame({ namespace }: MachineIdentity, network: Fields, attachment: string | undefined): boolean {
  const there = text(fields(network['multus'])['networkName']);
  if (attachment === undefined) return network['pod'] !== undefined;
  return there === attachment || there === `${namespace}/${attachment}`;
}

/** The address of the bridge inside the VM's pod. */
const podBridge = '02:00:00:00:00:00';

function saidAddress(network: string, said: string): string {
  const address = said.toLowerCase().replaceAll('-', ':');
  const field = `spec.networks["${network}"].macAddress is "${said}"`;
  if (!/^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/.test(address))
    refuse(`${field}: it must be six pairs of hexadecimal digits, such as "52:54:00:12:34:56".`);
  if (Number.parseInt(address.slice(0, 2), 16) % 2 === 1)
    refuse(`${field}, a multicast address: the first pair must be even, such as "52" or "02".`);
  if (address === '00:00:00:00:00:00' || address === podBridge)
    refuse(`${field}, which is reserved: use another, or leave it out.`);
  return address;
}

function refuseSharedAddresses(networks: readonly ResolvedNetwork[]): void {
  const seen = new Map<string, string>();
  for (const { name, macAddress: address } of networks) {
    const other = seen.get(address);
    if (other !== undefined)
      refuse(
        `spec.networks "${other}" and "${name}" have the same macAddress ${address}: give one of them another, or leave it out.`,
        'MacAddressConflict',
      );
    seen.set(address, name);
  }
}

function configured(
  { namespace }: MachineIdentity,
  name: string,
  configurations: ReadonlyMap<string, NetworkConfigurationSpec>,
): NetworkConfigurationSpec {
  const found = configurations.get(name);
  if (found === undefined)
    refuse(
      `the NetworkConfiguration "${name}" does not exist in the namespace "${namespace}": create it, or name another in spec.networks.`,
      'NetworkConfigurationNotFound',
    );
  refuseBadConfiguration(name, found);
  return found;
}

function refuseBadConfiguration(
  name: string,
  { vlan = 0, bridge = defaultBridge, mtu }: NetworkConfigurationSpec,
): void {
  const wrong = (why: string): never =>
    refuse(`the NetworkConfiguration "${name}" cannot be used: ${why}.`, 'NetworkFailed');
  if (!Number.isInteger(vlan) || vlan < 0 || vlan > 4094) wrong(`its vlan is ${vlan}; it must be 0 to 4094`);
  // The kernel's limit for the name of an interface.
  if (!/^[^\s/:]{1,15}$/.test(bridge))
    wrong(`its bridge "${bridge}" is not a bridge name (1 to 15 characters, no spaces, "/" or ":")`);
  if (mtu !== undefined && (!Number.isInteger(mtu) || mtu < 68 || mtu > 65_535))
    wrong(`its mtu is ${mtu}; it must be 68 to 65535`);
}

function attachment(
  identity: MachineIdentity,
  networkName: string,
  { vlan = 0, bridge = defaultBridge, mtu }: NetworkConfigurationSpec,
): KubeLike {
  const name = attachmentName(networkName);
  const config = {
    cniVersion: '1.0.0',
    name,
    type: 'bridge',
    bridge,
    ...(vlan === 0 ? {} : { vlan }),
    ...defined({ mtu }),
    // Addresses come from the network itself, or from cloud-init.
    ipam: {},
  };
  return {
    apiVersion: 'k8s.cni.cncf.io/v1',
    kind: 'NetworkAttachmentDefinition',
    metadata: sharedMetadata(identity, name),
    spec: { config: JSON.stringify(config) },
  };
}
