/** Verbs that change something immediately, without a task. */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { ApiClient } from '../api/client.ts';
import type { Entity } from '../api/entities.ts';
import type { View } from '../output/view.ts';
import { ended, outputOf, withExamples, withOutput, type Examples } from '../output/command.ts';

export interface WriteVerb<T extends Entity> {
  readonly view: View<T>;
  readonly examples: Examples;
  readonly ask: (client: ApiClient, args: readonly string[]) => Promise<T>;
}

export function finishWriteVerb<T extends Entity>(command: Command, { view, examples, ask }: WriteVerb<T>): Command {
  withExamples(withOutput(withServer(command)), examples);
  command.action((...given: unknown[]) =>
    ended(() =>
      asking(command, async (client) => {
        const { printOne } = await import('../output/print.ts');
        const args = given.filter((one) => typeof one === 'string');
        printOne(view, outputOf(command), await ask(client, args));
      }),
    ),
  );
  return command;
}

/** `withEnabled` adds `--enable` and `--disable`; the value is undefined if neither is given. */
export function withEnabled(command: Command, what: string): Command {
  return command.option('--enable', `enable ${what}`).option('--disable', `disable ${what}`);
}

export function enabledOf(command: Command): boolean | undefined {
  const { enable, disable } = command.opts<{ readonly enable?: boolean; readonly disable?: boolean }>();
  if (enable === true) return true;
  return disable === true ? false : undefined;
}
