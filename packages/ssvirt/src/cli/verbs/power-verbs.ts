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
    const [{ named }, { Bulk }, { printList, printOne }] = await Promise.all([
      import('./named.ts'),
      import('./bulk.ts'),
      import('../output/print.ts'),
    ]);
    const found: T[] = [];
    for (const name of names) found.push(await named(client, kind, name, command));
    const bulk = new Bulk(command, found, kind.view.name);
    // All requests are sent before the first wait, so that the tasks run concurrently.
    const asked: (readonly [one: T, changed: Changed<T>])[] = [];
    for (const one of found) {
      const sent = await bulk.attempt(one, () => kind.power(client.api, one.id, action));
      if (sent !== undefined) asked.push([one, sent.result]);
    }
    const done: T[] = [];
    for (const [one, changed] of asked) {
      const ready = await bulk.attempt(one, () => afterTask(client, kind, changed, waitOf(command)));
      if (ready !== undefined) done.push(ready.result);
    }
    const [first] = done;
    if (first !== undefined && found.length === 1) printOne(kind.view, outputOf(command), first);
    else if (done.length > 0) printList(kind.view, outputOf(command), done);
    bulk.end();
  });
}
