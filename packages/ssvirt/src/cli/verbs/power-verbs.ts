/** The seven power verbs of VMs and vApps. */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { Changed, Entity, PowerAction } from '../api/entities.ts';
import type { PoweredKind } from '../api/kind.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { nameArgument, withVdc } from './get-verb.ts';
import { afterTask } from './task-verb.ts';
import { waitOf, withWait } from './wait-option.ts';

const words: readonly (readonly [verb: string, action: PowerAction, what: string])[] = [
  ['power-on', 'powerOn', 'power on'],
  ['power-off', 'powerOff', 'power off, without shutting the guest down'],
  ['shutdown', 'shutdown', 'shut down the guest, then power off'],
  ['reset', 'reset', 'reset, without shutting the guest down'],
  ['reboot', 'reboot', 'reboot the guest'],
  ['suspend', 'suspend', 'pause the guest; its memory stays on its node'],
  ['resume', 'resume', 'resume a suspended guest'],
];

export function addPowerVerbs<T extends Entity>(noun: Command, kind: PoweredKind<T>): void {
  for (const [verb, action, what] of words) {
    const command = withVdc(
      withServer(
        noun
          .command(verb)
          .description(`${what} (${kind.singular})`)
          .argument(...nameArgument(kind, true)),
      ),
    );
    withExamples(withOutput(withWait(command)), [
      `ssvirt ${kind.noun} ${verb} web`,
      `ssvirt ${kind.noun} ${verb} web db --wait=5m -o json`,
    ]);
    command.action((names: readonly string[]) => ended(() => power(command, kind, action, names)));
  }
}

async function power<T extends Entity>(
  command: Command,
  kind: PoweredKind<T>,
  action: PowerAction,
  names: readonly string[],
): Promise<void> {
  await asking(command, async (client) => {
    const [{ named }, { printList, printOne }] = await Promise.all([
      import('./named.ts'),
      import('../output/print.ts'),
    ]);
    const found: T[] = [];
    for (const name of names) found.push(await named(client, kind, name, command));
    // All requests are sent before the first wait, so that the tasks run concurrently.
    const asked: Changed<T>[] = [];
    for (const { id } of found) asked.push(await kind.power(client.api, id, action));
    const done: T[] = [];
    for (const one of asked) done.push(await afterTask(client, kind, one, waitOf(command)));
    const [first, ...others] = done;
    if (first !== undefined && others.length === 0) printOne(kind.view, outputOf(command), first);
    else printList(kind.view, outputOf(command), done);
  });
}
