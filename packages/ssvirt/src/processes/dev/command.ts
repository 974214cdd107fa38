/** `ssvirt dev` and its flags. */
import type { Command } from 'commander';
import { addExamples } from '@ssvirt/base/config/examples';
import { addConfigOptions, configOf, type Selection } from '@ssvirt/base/config/options';

/** Log settings belong to the processes; a person uses `--verbose`. */
const own: Selection = ({ path }) => path.startsWith('dev.');

export function registerDevCommand(program: Command): void {
  const command = program
    .command('dev')
    .description(
      'run everything on this machine, for trials and development: the API, a PostgreSQL, the operators, simulated KubeVirt clusters and AAP, with users and a tour',
    )
    .option('--fresh', 'start with an empty folder: existing data is lost')
    .option('--verbose', 'show the full logs of the processes, not only warnings');
  addConfigOptions(command, 'dev', own);
  addExamples(command, ['ssvirt dev', 'ssvirt dev --fresh --clusters 1 --listen 127.0.0.1:9443']);
  command.action(async () => {
    const { config } = configOf(command, 'dev', own);
    const { fresh = false, verbose = false } = command.opts<{ fresh?: boolean; verbose?: boolean }>();
    const { runDev } = await import('./run.ts');
    await runDev({ config: config.dev, fresh, verbose });
  });
}
