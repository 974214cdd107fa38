/** `ssvirt vm wait NAME --for running`, and the same for vApps. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { Entity } from '../api/entities.ts';
import type { PoweredKind } from '../api/kind.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { Absent } from '../output/failure.ts';
import { note } from '../output/streams.ts';
import { nameArgument, withVdc } from './get-verb.ts';
import { waitMs } from './wait-option.ts';

interface WaitOptions {
  readonly for: string;
  readonly timeout: number;
}

export function addWaitVerb<T extends Entity>(noun: Command, kind: PoweredKind<T>, example: string): void {
  const command = withVdc(
    withServer(
      noun
        .command('wait')
        .description(`wait until a ${kind.singular} has a status, and show its progress`)
        .argument(...nameArgument(kind)),
    ),
  )
    .addOption(
      new Option('--for <STATE>', 'running, off, deleted, or a status such as suspended')
        .argParser((text) => stateOf(text, kind.statuses))
        .default('running'),
    )
    .option('--timeout <DURATION>', 'the timeout', waitMs, waitMs('15m'));
  withExamples(
    withOutput(command),
    [
      `ssvirt ${kind.noun} wait ${example}`,
      `ssvirt ${kind.noun} wait ${example} --for off --timeout 5m`,
      `ssvirt ${kind.noun} wait ${example} --for deleted`,
    ],
    '0 when it has the status, 4 when it does not exist, 6 when it has failed, 7 on timeout',
  );
  command.action((name: string) =>
    ended(() =>
      asking(command, async (client) => {
        const [{ named }, { followStatus }, { printOne }] = await Promise.all([
          import('./named.ts'),
          import('./follow-status.ts'),
          import('../output/print.ts'),
        ]);
        const { for: awaited, timeout: timeoutMs } = command.opts<WaitOptions>();
        const one = await named(client, kind, name, command).catch((error: unknown) => {
          if (awaited === 'deleted' && error instanceof Absent) return undefined;
          throw error;
        });
        if (one === undefined) return note(`${name}: DELETED`);
        const found = await followStatus(client, { kind, one, awaited, timeoutMs });
        if (found !== undefined) printOne(kind.view, outputOf(command), found);
      }),
    ),
  );
}

const words: readonly string[] = ['running', 'off', 'deleted'];

function stateOf(text: string, statuses: readonly string[]): string {
  const [lower, upper] = [text.toLowerCase(), text.toUpperCase()];
  if (words.includes(lower)) return lower;
  if (statuses.includes(upper)) return upper;
  throw new InvalidArgumentError(`Write one of ${[...words, ...statuses].join(', ')}.`);
}
