/** `ssvirt sandbox`: starts the clusters, writes the kubeconfig, and says what to try. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { SandboxConfig } from '../config/keys.ts';
import { addConfigOptions, configOf } from '../config/options.ts';
import { startCluster, type Cluster } from './cluster.ts';
import { registerFaultCommands } from './fault-command.ts';
import { loadIdentity } from './identity.ts';
import { createLogger, type Logger } from './log.ts';
import { kubeconfig, writeKubeconfig, type KubeconfigCluster } from './kubeconfig.ts';

export function registerSandboxCommand(program: Command): void {
  const sandbox = program
    .command('sandbox')
    .description('a Kubernetes API on this machine, for development and tests: no cluster, no containers');
  addConfigOptions(sandbox, 'sandbox');
  sandbox.action(async () => {
    const { config } = configOf(sandbox, 'sandbox');
    await runSandbox(config.sandbox, createLogger(config.log));
  });
  registerFaultCommands(sandbox);
}

/** Runs until a signal ends it. */
export async function runSandbox(config: SandboxConfig, log: Logger): Promise<void> {
  const began = performance.now();
  const clusters = await startClusters(config, log);
  writeKubeconfig(config.kubeconfig, kubeconfig(clusters));
  process.stdout.write(welcome(clusters, config, Math.round(performance.now() - began)));
  await ended();
  await Promise.all(clusters.map((cluster) => cluster.stop()));
}

async function startClusters(config: SandboxConfig, log: Logger): Promise<(Cluster & KubeconfigCluster)[]> {
  const { host, port } = config.listen;
  const started: (Cluster & KubeconfigCluster)[] = [];
  for (let i = 0; i < config.clusters; i++) {
    const name = config.clusters === 1 ? 'sandbox' : `sandbox-${i + 1}`;
    const data = config.data === undefined ? undefined : join(resolve(config.data), name);
    const token = config.tokenFile?.reveal();
    const kept = data === undefined ? {} : { data };
    const identity = await loadIdentity({ host, ...kept, ...(token === undefined ? {} : { token }) });
    const cluster = await startCluster({
      name,
      host,
      port: port === 0 ? 0 : port + i,
      identity,
      eventWindow: config.eventWindow,
      compactionInterval: config.compactionInterval,
      log: log.child({ cluster: name }),
      ...kept,
    });
    started.push({ ...cluster, identity });
  }
  return started;
}

function ended(): Promise<void> {
  return new Promise((resolvePromise) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolvePromise());
  });
}

function welcome(clusters: readonly Cluster[], config: SandboxConfig, milliseconds: number): string {
  const file = resolve(config.kubeconfig);
  const lines = clusters.map(({ name, url }) => `  ${name.padEnd(12)} ${url}`);
  return `The sandbox is up after ${milliseconds} ms:

${lines.join('\n')}

Log in with the kubeconfig ${file} (administrator). Three things to try:

  kubectl --kubeconfig ${file} get ns
  kubectl --kubeconfig ${file} api-resources
  kubectl --kubeconfig ${file} create configmap hello --from-literal=who=world -o yaml

${config.data === undefined ? 'State is kept in memory and ends with this process (--data DIR keeps it).' : `State is kept in ${resolve(config.data)}.`} Stop with Ctrl-C.
`;
}
