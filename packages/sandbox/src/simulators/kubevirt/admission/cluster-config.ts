/** The values of the KubeVirt object, with KubeVirt's own defaults for what it leaves out. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { isSet, numberAt, objectAt, textAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import { parseQuantity, type Quantity } from '../../../objects/schema/quantity.ts';

export interface ClusterConfig {
  readonly featureGates: ReadonlySet<string>;
  readonly defaultArchitecture: string;
  readonly evictionStrategy: string;
  readonly cpuModel: string;
  readonly defaultInterface: string;
  readonly permitBridgeOnPodNetwork: boolean;
  readonly liveUpdate: boolean;
  readonly maxCpuSockets: number;
  readonly maxGuest: Quantity | undefined;
  readonly maxHotplugRatio: number;
  machineType(architecture: string): string;
  emulatedMachines(architecture: string): readonly string[];
}

const MACHINES: Readonly<Record<string, { readonly type: string; readonly emulated: readonly string[] }>> = {
  amd64: { type: 'q35', emulated: ['q35*', 'pc-q35*'] },
  arm64: { type: 'virt', emulated: ['virt*'] },
  s390x: { type: 's390-ccw-virtio', emulated: ['s390-ccw-virtio*'] },
};

export const defaultConfig: ClusterConfig = clusterConfig({});

/** @param configuration `spec.configuration` of the KubeVirt object. */
export function clusterConfig(configuration: JsonObject): ClusterConfig {
  const developer = objectAt(configuration, 'developerConfiguration');
  const network = objectAt(configuration, 'network');
  const live = objectAt(configuration, 'liveUpdateConfiguration');
  const architectures = objectAt(configuration, 'architectureConfiguration');
  // An architecture that KubeVirt does not know is treated as amd64.
  const machine = (architecture: string): (typeof MACHINES)[string] => MACHINES[architecture] ?? MACHINES['amd64']!;
  const own = (architecture: string): JsonObject | undefined =>
    objectAt(architectures, MACHINES[architecture] === undefined ? 'amd64' : architecture);
  return {
    featureGates: new Set(textsAt(developer, 'featureGates')),
    defaultArchitecture: textAt(architectures, 'defaultArchitecture') || 'amd64',
    evictionStrategy: textAt(configuration, 'evictionStrategy') || 'None',
    cpuModel: textAt(configuration, 'cpuModel'),
    defaultInterface: textAt(network, 'defaultNetworkInterface') || 'bridge',
    permitBridgeOnPodNetwork: network?.['permitBridgeInterfaceOnPodNetwork'] !== false,
    liveUpdate: textAt(configuration, 'vmRolloutStrategy') !== 'Stage',
    maxCpuSockets: numberAt(live, 'maxCpuSockets'),
    maxGuest: isSet(live, 'maxGuest') ? parseQuantity(textAt(live, 'maxGuest')) : undefined,
    maxHotplugRatio: numberAt(live, 'maxHotplugRatio') || 4,
    machineType: (architecture) =>
      textAt(own(architecture), 'machineType') || textAt(configuration, 'machineType') || machine(architecture).type,
    emulatedMachines: (architecture) => {
      const given = textsAt(own(architecture), 'emulatedMachines');
      return given.length > 0 ? given : machine(architecture).emulated;
    },
  };
}

/** `configOf` returns the configuration of the KubeVirt object, if there is one. */
export function configOf(kubevirt: Unstructured | undefined): ClusterConfig {
  const configuration = objectAt(objectAt(kubevirt as unknown as JsonObject | undefined, 'spec'), 'configuration');
  return configuration === undefined ? defaultConfig : clusterConfig(configuration);
}
