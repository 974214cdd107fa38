/** `ssvirt vm debug NAME`: explains a virtual machine, whichever door it came through, and says which that was. */
import { Option, type Command } from 'commander';
import { withServer } from '../api/asking.ts';
import { withClusterOptions } from '../cluster/choice.ts';
import { pageFormats } from '../cluster/page-format.ts';
import { withSurroundings } from '../machine/surroundings.ts';
import { ended, withExamples } from '../output/command.ts';
import { places } from './place.ts';

/** Adds the verb to the noun `vm`, whoever has registered that. */
export function addDebugVerb(vm: Command): void {
  const command = vm
    .command('debug <NAME>')
    .description(
      'one page about a virtual machine, be it of a tenant, of a Machine or of an order: how it is, what has happened, what is wrong and what to do',
    )
    .addOption(
      new Option(
        '--kind <KIND>',
        'only look for a virtual machine of a tenant, for a Machine, or for an order',
      ).choices([...places]),
    )
    .option('-n, --namespace <NAME>', 'the namespace of the Machine or order; all that you may see unless said')
    .option('--vdc <NAME>', "the virtual data center of a tenant's (name or URN)")
    .addOption(new Option('-o, --output <FORMAT>', 'what is printed').choices([...pageFormats]).default('text'));
  withExamples(
    withSurroundings(withClusterOptions(withServer(command))),
    [
      'ssvirt vm debug web',
      'ssvirt vm debug web --kind machine -n team-a',
      'ssvirt vm debug web --vdc demo-vdc -o json',
    ],
    '0 when all is well or under way, 1 when something is wrong, 4 when there is nothing of that name, or several',
  ).action((name: string) =>
    ended(async () => {
      const { debugAny } = await import('./debug-any.ts');
      return debugAny(command, name);
    }),
  );
}
