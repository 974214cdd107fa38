/** A running `ssvirt sandbox`: clusters, their kubeconfig, and the words that say what to try. */
import { existsSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import type { SandboxConfig } from '../config/keys.ts';
import { ConfigError } from '../config/setting.ts';
import { startCluster, type Cluster } from './cluster.ts';
import { loadIdentity } from './identity.ts';
import { kubeconfig, otherClusters, writeKubeconfig, type KubeconfigCluster } from './kubeconfig.ts';
import type { Logger } from './log.ts';
import { startProblem } from './start-problem.ts';
import { lockFolder, type FolderLock } from './store/folder-lock.ts';
import { welcome } from './welcome.ts';

/** Runs until a signal ends it. */
export async function runSandbox(config: SandboxConfig, log: Logger): Promise<void> {
  const began = performance.now();
  const end = ended();
  const clusters: StartedCluster[] = [];
  let lock: FolderLock | undefined;
  try {
    if (config.data !== undefined) lock = lockFolder(resolve(config.data));
    refuseToOverwrite(config.kubeconfig);
    for await (const cluster of startClusters(config, log)) clusters.push(cluster);
    writeKubeconfig(config.kubeconfig, kubeconfig(clusters));
    process.stdout.write(
      welcome({ ...config, clusters, milliseconds: Math.round(performance.now() - began), hasKubectl: hasKubectl() }),
    );
    await end;
  } catch (error) {
    const problem = startProblem(error, config);
    throw problem === undefined ? error : new ConfigError([problem]);
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    lock?.release();
  }
}

function refuseToOverwrite(file: string): void {
  const [other] = otherClusters(file);
  if (other === undefined) return;
  const what = `"${file}" holds a cluster that is no sandbox ("${other}") and would be lost`;
  throw new ConfigError([`sandbox.kubeconfig: ${what}: name another file, with --kubeconfig PATH`]);
}

type StartedCluster = Cluster & KubeconfigCluster;

async function* startClusters(config: SandboxConfig, log: Logger): AsyncGenerator<StartedCluster> {
  const { host, port } = config.listen;
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
    yield { ...cluster, identity };
  }
}

function ended(): Promise<void> {
  return new Promise((resolvePromise) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolvePromise());
  });
}

function hasKubectl(): boolean {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && existsSync(join(folder, 'kubectl')));
}
