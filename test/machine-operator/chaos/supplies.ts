/** Objects that Machines may refer to: networks, and Secrets with cloud-init texts. */
import type { NetworkConfigurationSpec } from '../../../packages/ssvirt/src/kubevirt/machine/resource.ts';

export const networks: ReadonlyMap<string, NetworkConfigurationSpec> = new Map([
  ['prod-network', { vlan: 100, bridge: 'br1' }],
  ['storage-network', { bridge: 'br2', mtu: 9000 }],
]);

export const textNames = ['words', 'more-words'] as const;

export function textsOf(namespace: string): readonly (readonly [string, string])[] {
  return textNames.map((name) => [name, `#cloud-config\n# ${name} of ${namespace}\n`] as const);
}
