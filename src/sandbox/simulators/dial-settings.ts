/** The dials that a person set in the configuration, and those only: where nobody said anything, what the cluster remembers holds. */
import type { SandboxConfig } from '../../config/keys.ts';
import type { Loaded } from '../../config/load.ts';
import type { Dials } from './dials.ts';

/** The keys of the configuration that are dials, by their path, and what each turns. */
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
