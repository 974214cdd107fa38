/** `ssvirt sandbox simulate`: runs the simulators on an existing API server. */
import type { Command } from 'commander';
import { addExamples } from '@ssvirt/base/config/examples';
import { addConfigOptions, configOf, type Selection } from '@ssvirt/base/config/options';
import { dialPaths } from './dial-settings.ts';

const ABOUT = `
It installs the CustomResourceDefinitions of KubeVirt, CDI and the templates, serves KubeVirt's webhooks and subresources
from this process, registers them, and simulates controllers, nodes and storage until it is stopped. The API server must
run on this machine, because it calls back on the loopback interface, and the user of the kubeconfig needs all rights.
Never use it on a cluster that has KubeVirt or that is in use.

When it stops (Ctrl-C, SIGTERM), it deletes the webhook configurations and APIServices, so that the cluster stays usable;
the definitions and all objects stay. After a crash they remain, and writes of virtual machines fail: start it again, or
delete them. OpenShift's Templates are stored by this process: use --data DIR to keep them over a restart.`;

const others = new Set(['sandbox.parts', 'sandbox.crds', 'sandbox.data']);

const selection: Selection = ({ path }) => path.startsWith('log.') || dialPaths.has(path) || others.has(path);

export function registerSimulateCommand(sandbox: Command): void {
  const simulate = sandbox
    .command('simulate')
    .description('simulate KubeVirt and its surroundings on an API server of this machine')
    .requiredOption('--kubeconfig <FILE>', 'the kubeconfig of the API server')
    .option('--context <NAME>', 'the context to use instead of the current one')
    .addHelpText('after', ABOUT);
  addConfigOptions(simulate, 'sandbox', selection);
  addExamples(simulate, [
    'ssvirt sandbox simulate --kubeconfig admin.kubeconfig',
    'ssvirt sandbox simulate --kubeconfig admin.kubeconfig --parts kubevirt,nodes,storage --speed 10',
  ]);
  simulate.action(async (target: { readonly kubeconfig: string; readonly context?: string }) => {
    const loaded = configOf(simulate, 'sandbox', selection);
    // Loaded on use: other commands do not need it.
    const { runSimulators } = await import('./run.ts');
    await runSimulators(target, loaded);
  });
}
