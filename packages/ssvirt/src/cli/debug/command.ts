/**
 * `ssvirt vm debug NAME`: explains a virtual machine of any origin (tenant VM, Machine or order), and says which it is.
 */
import { Option, type Command } from 'commander';
import { withServer } from '../api/asking.ts';
import { withClusterOptions } from '../cluster/choice.ts';
import { pageFormats } from '../cluster/page-format.ts';
import { withMachineContext } from '../machine/context.ts';
import { ended, withExamples } from '../output/command.ts';
import { places } from './place.ts';

/** `addDebugVerb` adds the verb to the noun `vm`, which is registered elsewhere. */
export function addDebugVerb(vm: Command): void {
  const command = vm
    .command('debug <NAME>')
    .description(
      'one page about a virtual machine of a tenant, of a Machine or of an order: its state, its history, what is wrong and what to do',
    )
    .addOption(
      new Option(
        '--kind <KIND>',
        'look only for a virtual machine of a tenant, for a Machine, or for an order',
      ).choices([...places]),
    )
    .option('-n, --namespace <NAME>', 'the namespace of the Machine or order; default: all that you may read')
    .option('--vdc <NAME>', "the virtual data center of the tenant's virtual machine (name or URN)")
    .addOption(new Option('-o, --output <FORMAT>', 'the output format').choices([...pageFormats]).default('text'));
  withExamples(
    withMachineContext(withClusterOptions(withServer(command))),
    [
      'ssvirt vm debug web',
      'ssvirt vm debug web --kind machine -n team-a',
      'ssvirt vm debug web --vdc demo-vdc -o json',
    ],
    '0 when all is well or in progress, 1 when something is wrong, 4 when the name does not exist or is ambiguous',
  ).action((name: string) =>
    ended(async () => {
      const { debugAny } = await import('./debug-any.ts');
      return debugAny(command, name);
    }),
  );
}
