/** `ssvirt sandbox` and what it is told by its flags. */
import type { Command } from 'commander';
import { addConfigOptions, configOf } from '../config/options.ts';
import { registerFaultCommands } from './fault-command.ts';

export function registerSandboxCommand(program: Command): void {
  const sandbox = program
    .command('sandbox')
    .description('a Kubernetes API on this machine, for development and tests: no cluster, no containers');
  addConfigOptions(sandbox, 'sandbox');
  sandbox.action(async () => {
    const { config } = configOf(sandbox, 'sandbox');
    // Loaded here: the server is large, and the other commands have no need of it.
    const [{ runSandbox }, { createLogger }] = await Promise.all([import('./run.ts'), import('./log.ts')]);
    await runSandbox(config.sandbox, createLogger(config.log));
  });
  registerFaultCommands(sandbox);
}
