/** The dials that the configuration sets explicitly. For the others, the values stored in the cluster apply. */
import type { SandboxConfig } from '@ssvirt/base/config/keys';
import type { Loaded } from '@ssvirt/base/config/load';
import type { Dials } from './dials.ts';

/** Maps the path of a configuration key to the dial that it sets. */
const settings: Readonly<Record<string, (config: SandboxConfig) => Partial<Dials>>> = {
  'sandbox.speed': ({ speed }) => ({ speed }),
  'sandbox.podStartTime': ({ podStartTime }) => ({ podStartMs: podStartTime }),
  'sandbox.bootTime': ({ bootTime }) => ({ bootMs: bootTime }),
  'sandbox.agentTime': ({ agentTime }) => ({ agentMs: agentTime }),
  'sandbox.shutdownTime': ({ shutdownTime }) => ({ shutdownMs: shutdownTime }),
  'sandbox.importTime': ({ importTime }) => ({ importMs: importTime }),
  'sandbox.provisionTime': ({ provisionTime }) => ({ provisionMs: provisionTime }),
  'sandbox.migrationTime': ({ migrationTime }) => ({ migrationMs: migrationTime }),
  'sandbox.nodes': nodesOf,
  'sandbox.nodeCpu': nodesOf,
  'sandbox.nodeMemory': nodesOf,
};

function nodesOf({ nodes, nodeCpu, nodeMemory }: SandboxConfig): Partial<Dials> {
  return { nodes: { count: nodes, cpu: nodeCpu, memory: nodeMemory } };
}

export const dialPaths: ReadonlySet<string> = new Set(Object.keys(settings));

export function askedDials(config: SandboxConfig, sources: Loaded<unknown>['sources']): Partial<Dials> {
  const asked = Object.entries(settings).filter(([path]) => (sources.get(path)?.kind ?? 'default') !== 'default');
  return Object.assign({}, ...asked.map(([, read]) => read(config))) as Partial<Dials>;
}
