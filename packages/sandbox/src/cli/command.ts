/** The command `ssvirt sandbox`. */
import type { Command } from 'commander';
import { addExamples } from '@ssvirt/base/config/examples';
import { addConfigOptions, configOf } from '@ssvirt/base/config/options';
import { registerFaultCommands } from './fault-command.ts';
import { registerAapCommand } from '../simulators/aap/command.ts';
import { registerSimulateCommand } from '../simulators/command.ts';
import { registerDialCommand } from '../simulators/dial-command.ts';
import { askedDials } from '../simulators/dial-settings.ts';

export function registerSandboxCommand(program: Command): void {
  const sandbox = program
    .command('sandbox')
    .description(
      'a Kubernetes cluster with KubeVirt on this machine, for development and tests: no machines, no containers',
    );
  addConfigOptions(sandbox, 'sandbox');
  addExamples(sandbox, [
    'ssvirt sandbox',
    'ssvirt sandbox --clusters 3 --names supervisor,east,west --speed 10 --kubeconfig clusters.kubeconfig',
  ]);
  sandbox.action(async () => {
    const { config, sources } = configOf(sandbox, 'sandbox');
    // Loaded on use: the server is large, and other commands do not need it.
    const { runSandbox } = await import('./run.ts');
    await runSandbox({ config: config.sandbox, dials: askedDials(config.sandbox, sources), log: config.log });
  });
  registerSimulateCommand(sandbox);
  registerDialCommand(sandbox);
  registerAapCommand(sandbox);
  registerFaultCommands(sandbox);
}
