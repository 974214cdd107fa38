/**
 * The measured sandbox: started as a user starts it, but at full speed, with room for all VMs, and without the samples,
 * some of which are never idle.
 */
import { join, resolve } from 'node:path';
import { throwAwayFolder, type Credentials } from '../../../test/cluster/cluster.ts';
import { processGroup } from '../../../test/cluster/processes.ts';
import type { ServerProcess } from '../processes.ts';
import { readCredentials, untilFurnished } from '../servers.ts';

const repository = resolve(import.meta.dirname, '../../..');
const PARTS = ['kubevirt', 'nodes', 'storage', 'cdi', 'templates', 'load-balancers'];
/** A simulated minute takes some hundredths of a second, so simulated waits are never the bottleneck. */
const SPEED = 1000;
const MACHINES_ON_NODE = 250;

export interface Subject extends Credentials {
  readonly processes: readonly ServerProcess[];
  stop(): Promise<void>;
}

export async function startSubject(machines: number): Promise<Subject> {
  const folder = await throwAwayFolder('ssvirt-bench-');
  const group = processGroup(folder.path);
  const stop = async (): Promise<void> => {
    await group.stop();
    await folder.remove();
  };
  const kubeconfig = join(folder.path, 'kubeconfig');
  const nodes = Math.max(3, Math.ceil(machines / MACHINES_ON_NODE) + 1);
  const size = ['--nodes', String(nodes), '--node-cpu', '512', '--node-memory', '2Ti'];
  const flags = ['--listen', '127.0.0.1:0', '--parts', PARTS.join(','), '--speed', String(SPEED), ...size];
  try {
    const sandbox = group.start('sandbox', join(repository, 'bin/ssvirt'), [
      'sandbox',
      '--kubeconfig',
      kubeconfig,
      ...flags,
    ]);
    const credentials = await readCredentials(kubeconfig, sandbox);
    await untilFurnished(credentials);
    return { ...credentials, processes: [{ name: 'sandbox', pid: sandbox.child.pid ?? 0 }], stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
