/** `ssvirt NOUN delete NAME…` */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { Entity } from '../api/entities.ts';
import type { DeletableKind } from '../api/kind.ts';
import { ended, withExamples, type Examples } from '../output/command.ts';
import { confirmDeletion, withYes } from '../output/confirm.ts';
import { note } from '../output/streams.ts';
import { nameArgument, withVdc } from './get-verb.ts';
import { waitOf, withWait } from './wait-option.ts';

export interface DeleteVerb {
  /** Ends with "e", so that "d" makes the past tense of it; default: delete. */
  readonly name?: string;
  readonly description: string;
  readonly examples: Examples;
  /** The description of --force; absent if there is no such flag. */
  readonly force?: string;
  /** Whether the deletion has a task, because a cluster must follow. */
  readonly hasTask?: boolean;
  readonly inVdc?: boolean;
}

export function addDeleteVerb<T extends Entity>(noun: Command, kind: DeletableKind<T>, verb: DeleteVerb): Command {
  const { name: word = 'delete' } = verb;
  const command = withServer(
    noun
      .command(word)
      .description(verb.description)
      .argument(...nameArgument(kind, true)),
  );
  withYes(command);
  if (verb.force !== undefined) command.option('--force', verb.force);
  if (verb.inVdc === true) withVdc(command);
  if (verb.hasTask === true) withWait(command);
  withExamples(command, verb.examples);
  command.action((names: readonly string[]) =>
    ended(() =>
      asking(command, async (client) => {
        const [{ named }, { Bulk }] = await Promise.all([import('./named.ts'), import('./bulk.ts')]);
        const { force } = command.opts<{ readonly force?: boolean }>();
        // All names are resolved before the first deletion, so a wrong name deletes nothing.
        const found: T[] = [];
        for (const name of names) found.push(await named(client, kind, name, command));
        const bulk = new Bulk(command, found, kind.view.name);
        await confirmDeletion(command, questionOf(word, kind, found));
        for (const one of found)
          await bulk.attempt(one, async () => {
            const answered = await kind.delete(client.api, one, force === true ? { force } : {});
            const task = answered?.task;
            const waitMs = waitOf(command);
            if (task !== undefined && waitMs === undefined)
              return note(`${task.operation}: in progress; "ssvirt task wait ${task.id}" waits for it.`);
            if (task !== undefined && waitMs !== undefined) {
              const { followTask } = await import('../task/follow.ts');
              await followTask(client, task.id, waitMs);
            }
            note(`${kind.view.name(one)}: ${word}d.`);
          });
        bulk.end();
      }),
    ),
  );
  return command;
}

function questionOf<T extends Entity>(word: string, { singular, view }: DeletableKind<T>, found: readonly T[]): string {
  const verb = `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
  const names = found.map((one) => view.name(one)).join(', ');
  return found.length === 1
    ? `${verb} the ${singular} ${names}?`
    : `${verb} ${found.length} ${view.plural} (${names})?`;
}
