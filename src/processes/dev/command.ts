/** `ssvirt dev` and what it is told by its flags. */
import type { Command } from 'commander';
import { addExamples } from '../../config/examples.ts';
import { addConfigOptions, configOf, type Selection } from '../../config/options.ts';

/** What is logged how is a matter of the processes; `--verbose` is what a person wants. */
const own: Selection = ({ path }) => path.startsWith('dev.');

export function registerDevCommand(program: Command): void {
  const command = program
    .command('dev')
    .description(
      'everything on this machine, to try it and to work on it: the API, a PostgreSQL, the operators, simulated KubeVirt clusters and AAP, people to log in as, and a tour',
    )
    .option('--fresh', 'begin with an empty folder: what was there is lost')
    .option('--verbose', 'show what the processes log, not their warnings alone');
  addConfigOptions(command, 'dev', own);
  addExamples(command, ['ssvirt dev', 'ssvirt dev --fresh --clusters 1 --listen 127.0.0.1:9443']);
  command.action(async () => {
    const { config } = configOf(command, 'dev', own);
    const { fresh = false, verbose = false } = command.opts<{ fresh?: boolean; verbose?: boolean }>();
    const { runDev } = await import('./run.ts');
    await runDev({ config: config.dev, fresh, verbose });
  });
}
