/** The servers that the kubectl suite runs against. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { throwAwayFolder } from '../cluster/cluster.ts';
import { processGroup } from '../cluster/processes.ts';
import { findBinaries, startRealCluster } from '../cluster/real.ts';
import { notRun } from '../not-run.ts';

export interface Server {
  readonly name: string;
  readonly skip?: string;
  readonly isReal?: boolean;
  start(): Promise<RunningServer>;
}

export interface RunningServer {
  /** The path of a kubeconfig whose user has a token, so that `--token` can take its place. */
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

const startDeadline = 120_000;

/** Notes by name that `suite` does not run against all of them. */
export async function servers(suite: string): Promise<Server[]> {
  const given = process.env['SSVIRT_KUBECTL_KUBECONFIG'];
  if (given !== undefined && given !== '') {
    return [{ name: given, start: () => Promise.resolve({ kubeconfig: given, stop: () => Promise.resolve() }) }];
  }
  return [{ name: 'the sandbox', start: startSandbox }, await real(suite)];
}

async function real(suite: string): Promise<Server> {
  const name = 'a real kube-apiserver';
  const start = async (): Promise<RunningServer> => {
    const cluster = await startRealCluster();
    return { kubeconfig: cluster.adminKubeconfig, stop: () => cluster.stop() };
  };
  if ((await findBinaries(false)) !== undefined) return { name, start, isReal: true };
  return {
    name,
    start,
    skip: notRun(`${suite} against ${name}`, 'needs etcd, kube-apiserver and controller manager'),
  };
}

/** Started as users do: by its command. */
async function startSandbox(): Promise<RunningServer> {
  const folder = await throwAwayFolder('ssvirt-kubectl-sandbox-');
  const group = processGroup(folder.path);
  const stop = async (): Promise<void> => {
    await group.stop();
    await folder.remove();
  };
  const kubeconfig = join(folder.path, 'kubeconfig');
  const command = resolve(import.meta.dirname, '../../bin/ssvirt');
  const sandbox = group.start('sandbox', command, [
    'sandbox',
    '--bare',
    '--kubeconfig',
    kubeconfig,
    '--listen',
    '127.0.0.1:0',
  ]);
  const deadline = Date.now() + startDeadline;
  while (!existsSync(kubeconfig)) {
    if (sandbox.child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`cannot start the sandbox:\n${sandbox.tail()}`);
    }
    await delay(50);
  }
  // The server asks for the certificate first; `--token` must win.
  writeFileSync(kubeconfig, readFileSync(kubeconfig, 'utf8').replaceAll('user: sandbox-admin', 'user: sandbox-token'));
  return { kubeconfig, stop };
}
