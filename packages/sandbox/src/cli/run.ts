/** A running `ssvirt sandbox`: its clusters, their kubeconfig, and the welcome text. */
import { join, resolve } from 'node:path';
import type { SandboxConfig } from '@ssvirt/base/config/keys';
import { isOnPath } from '@ssvirt/base/config/on-path';
import { ConfigError } from '@ssvirt/base/config/setting';
import type { Connection } from '@ssvirt/kube/connection';
import { startCluster, type Cluster } from '../server/cluster.ts';
import { loadIdentity } from '../server/identity.ts';
import { kubeconfig, otherClusters, writeKubeconfig, type KubeconfigCluster } from '../server/kubeconfig.ts';
import { createLogger, quieter, type Logger, type LogOptions } from '@ssvirt/base/config/log';
import { startProblem } from './start-problem.ts';
import { lockFolder, type FolderLock } from '../store/folder-lock.ts';
import type { Dials } from '../simulators/dials.ts';
import type { SimulatorsThread } from '../simulators/thread/start-thread.ts';
import { welcome } from './welcome.ts';

export interface RunOptions {
  readonly config: SandboxConfig;
  /** The dials that the configuration sets. */
  readonly dials: Partial<Dials>;
  readonly log: LogOptions;
}

/** `runSandbox` runs until a signal ends it. */
export async function runSandbox({ config, dials, log: logging }: RunOptions): Promise<void> {
  const began = performance.now();
  const log = createLogger(logging);
  const end = ended();
  const clusters: StartedCluster[] = [];
  const simulated: SimulatorsThread[] = [];
  let lock: FolderLock | undefined;
  try {
    if (config.data !== undefined) lock = lockFolder(resolve(config.data));
    refuseSameName(config);
    refuseToOverwrite(config);
    for await (const cluster of startClusters(config, log)) clusters.push(cluster);
    // In sequence: when one cluster fails, those before it are stopped too.
    if (!config.bare)
      for (const [place, cluster] of clusters.entries())
        simulated.push(await simulate(cluster, { ...config, parts: partsOf(config, place) }, dials, logging));
    writeKubeconfig(config.kubeconfig, kubeconfig(clusters));
    process.stdout.write(
      welcome({
        ...config,
        clusters,
        milliseconds: Math.round(performance.now() - began),
        hasKubectl: isOnPath('kubectl'),
        hasMachines:
          !config.bare && (['kubevirt', 'templates', 'samples'] as const).every((part) => config.parts.includes(part)),
      }),
    );
    await Promise.race([end, ...simulated.map((simulators) => simulators.ended)]);
  } catch (error) {
    const problem = startProblem(error, config);
    throw problem === undefined ? error : new ConfigError([problem]);
  } finally {
    // A cluster that ends with this process need not be cleaned up.
    const leaveRegistered = config.data === undefined;
    await Promise.all(simulated.map((simulators) => simulators.stop({ leaveRegistered })));
    await Promise.all(clusters.map((cluster) => cluster.stop()));
    lock?.release();
  }
}

function refuseToOverwrite({ kubeconfig: file, names }: SandboxConfig): void {
  const [other] = otherClusters(file, names);
  if (other === undefined) return;
  const what = `"${file}" contains a cluster that is not a sandbox ("${other}"), which would be lost`;
  throw new ConfigError([`sandbox.kubeconfig: ${what}: choose another file with --kubeconfig PATH`]);
}

/** Two clusters of one name would share a folder. */
function refuseSameName({ names }: SandboxConfig): void {
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice === undefined) return;
  throw new ConfigError([`sandbox.names: two clusters are called "${twice}": give each a different name`]);
}

type StartedCluster = Cluster & KubeconfigCluster;

async function* startClusters(config: SandboxConfig, log: Logger): AsyncGenerator<StartedCluster> {
  const { host, port } = config.listen;
  for (let i = 0; i < config.clusters; i++) {
    const name = config.names[i] ?? (config.clusters === 1 ? 'sandbox' : `sandbox-${i + 1}`);
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

function partsOf({ parts, otherParts }: SandboxConfig, place: number): SandboxConfig['parts'] {
  return place === 0 ? parts : parts.filter((part) => otherParts.includes(part));
}

async function simulate(
  cluster: StartedCluster,
  { parts, crds, data }: SandboxConfig,
  dials: Partial<Dials>,
  log: LogOptions,
): Promise<SimulatorsThread> {
  // Loaded on use: a bare cluster does not need it.
  const { startSimulatorsThread } = await import('../simulators/thread/start-thread.ts');
  return startSimulatorsThread({
    connection: administratorOf(cluster),
    name: cluster.name,
    parts,
    dials,
    log: quieter(log),
    ...(crds === undefined ? {} : { crds }),
    ...(data === undefined ? {} : { data: join(resolve(data), cluster.name, 'simulators') }),
  });
}

function administratorOf({ url, identity }: StartedCluster): Connection {
  const { certificate: cert, key } = identity.administrator;
  return { server: url, tls: { ca: identity.authority.certificate, cert, key }, headers: {} };
}

function ended(): Promise<void> {
  return new Promise((resolvePromise) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolvePromise());
  });
}
