/** `ssvirt NOUN delete NAME…` */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { Entity } from '../api/entities.ts';
import type { DeletableKind } from '../api/kind.ts';
import { Refusal } from '../api/refusal.ts';
import { ended, withExamples, type Examples } from '../output/command.ts';
import { note } from '../output/streams.ts';
import { nameArgument, withVdc } from './get-verb.ts';
import { waitOf, withWait } from './wait-option.ts';

export interface DeleteVerb {
  readonly description: string;
  readonly examples: Examples;
  /** The description of --force; absent if there is no such flag. */
  readonly force?: string;
  /** Whether the deletion has a task, because a cluster must follow. */
  readonly hasTask?: boolean;
  readonly inVdc?: boolean;
}

export function addDeleteVerb<T extends Entity>(noun: Command, kind: DeletableKind<T>, verb: DeleteVerb): Command {
  const command = withServer(
    noun
      .command('delete')
      .description(verb.description)
      .argument(...nameArgument(kind, true)),
  );
  if (verb.force !== undefined) command.option('--force', verb.force);
  if (verb.inVdc === true) withVdc(command);
  if (verb.hasTask === true) withWait(command);
  withExamples(command, verb.examples);
  command.action((names: readonly string[]) =>
    ended(() =>
      asking(command, async (client) => {
        const { named } = await import('./named.ts');
        const { force } = command.opts<{ readonly force?: boolean }>();
        // All names are resolved before the first deletion, so a wrong name deletes nothing.
        const found: T[] = [];
        for (const name of names) found.push(await named(client, kind, name, command));
        for (const one of found) {
          const answered = await kind.delete(client.api, one, force === true ? { force } : {}).catch(inOwnWords);
          const task = answered?.task;
          const waitMs = waitOf(command);
          if (task === undefined) note(`${kind.view.name(one)}: deleted.`);
          else if (waitMs === undefined)
            note(`${task.operation}: in progress; "ssvirt task wait ${task.id}" waits for it.`);
          else {
            const { followTask } = await import('../task/follow.ts');
            await followTask(client, task.id, waitMs);
            note(`${kind.view.name(one)}: deleted.`);
          }
        }
      }),
    ),
  );
  return command;
}

/** The server's message names the query parameter; here it is a flag. */
function inOwnWords(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  throw new Refusal(error.status, error.code, error.message.replaceAll('force=true', '--force'));
}
