/** `ssvirt sandbox simulate`: the simulators on an API server that is there already. */
import type { Command } from 'commander';
import { addExamples } from '../../config/examples.ts';
import { addConfigOptions, configOf, type Selection } from '../../config/options.ts';
import { dialPaths } from './dial-settings.ts';

const ABOUT = `
It installs the CustomResourceDefinitions of KubeVirt, CDI and the templates, serves KubeVirt's webhooks and subresources
from this process, registers them, and plays what controllers, nodes and storage do, until it is told to end. The API
server must run on this machine, since it calls back on the loopback interface, and the user of the kubeconfig must be
allowed to do everything. Never use it on a cluster that has KubeVirt, or that somebody needs.

At the end (Ctrl-C, SIGTERM) the webhook configurations and APIServices are deleted, so that the cluster stays usable;
the definitions and all objects stay. After a crash they are left behind, and writes of virtual machines fail: start it
again, or delete them. OpenShift's Templates are kept by this process: give it --data DIR to find them again.`;

const others = new Set(['sandbox.parts', 'sandbox.crds', 'sandbox.data']);

const selection: Selection = ({ path }) => path.startsWith('log.') || dialPaths.has(path) || others.has(path);

export function registerSimulateCommand(sandbox: Command): void {
  const simulate = sandbox
    .command('simulate')
    .description('simulate KubeVirt and its surroundings on an API server of this machine')
    .requiredOption('--kubeconfig <FILE>', 'the kubeconfig of the API server')
    .option('--context <NAME>', 'the context in it that is used instead of the current one')
    .addHelpText('after', ABOUT);
  addConfigOptions(simulate, 'sandbox', selection);
  addExamples(simulate, [
    'ssvirt sandbox simulate --kubeconfig admin.kubeconfig',
    'ssvirt sandbox simulate --kubeconfig admin.kubeconfig --parts kubevirt,nodes,storage --speed 10',
  ]);
  simulate.action(async (target: { readonly kubeconfig: string; readonly context?: string }) => {
    const loaded = configOf(simulate, 'sandbox', selection);
    // Loaded here: the other commands have no need of it.
    const { runSimulators } = await import('./run.ts');
    await runSimulators(target, loaded);
  });
}
