/** Verbs that change something: the server answers with the thing, and where a cluster has to follow with a task, which --wait follows. */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { ApiClient } from '../api/client.ts';
import type { Entity, Task } from '../api/entities.ts';
import type { Kind } from '../api/kind.ts';
import { ended, outputOf, withExamples, withOutput, type Examples } from '../output/command.ts';
import { note } from '../output/streams.ts';
import { isData, tellGenerated, withGenerated, type WithGenerated } from './generated-parameters.ts';
import { waitOf, withWait } from './wait-option.ts';

/** Longer it takes only where nobody looks at the cluster. */
const soonMs = 5000;

export interface TaskVerb<T extends Entity> {
  readonly kind: Kind<T>;
  readonly examples: Examples;
  /** Asks the server; resolves to what it answered. */
  readonly ask: (client: ApiClient, args: readonly string[]) => Promise<unknown>;
}

/** One thing that is made or changed, and printed. The command has its arguments and options already. */
export function finishTaskVerb<T extends Entity>(command: Command, { kind, examples, ask }: TaskVerb<T>): Command {
  withExamples(withOutput(withWait(withServer(command))), examples);
  command.action((...given: unknown[]) =>
    ended(() =>
      asking(command, async (client) => {
        const { printOne } = await import('../output/print.ts');
        const args = given.flat().filter((one) => typeof one === 'string');
        const format = outputOf(command);
        const answered = (await ask(client, args)) as T & WithGenerated;
        tellGenerated(format, answered);
        try {
          const done = await afterTask(client, kind, answered, waitOf(command));
          printOne(kind.view, format, withGenerated(done, answered));
        } catch (error) {
          // The task may go on, and nothing but this answer has the values.
          if (isData(format) && answered.generatedParameters !== undefined) printOne(kind.view, format, answered);
          throw error;
        }
      }),
    ),
  );
  return command;
}

/** The thing as it is when its task is done, or as it was answered where nobody waits. */
export async function afterTask<T extends Entity>(
  client: ApiClient,
  kind: Kind<T>,
  answered: T,
  waitMs: number | undefined,
): Promise<T> {
  const { task } = answered as T & { readonly task?: Task };
  if (task === undefined) return answered;
  if (waitMs === undefined) {
    note(`${task.operation}: under way; "ssvirt task wait ${task.id}" waits for it.`);
    return answered;
  }
  const { followTask } = await import('../task/follow.ts');
  await followTask(client, task.id, waitMs);
  return onceSeen(client, () => client.get<T>(`${kind.path}/${answered.id}`), answered.id);
}

/** What was made is told by its cluster some milliseconds after its task is done: whoever has waited so far wants to see that, too. */
async function onceSeen<T extends Entity>(client: ApiClient, read: () => Promise<T>, id: string): Promise<T> {
  let found = await read();
  if (!isUnseen(found)) return found;
  const { changes } = await import('../api/changes.ts');
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), soonMs);
  try {
    for await (const _ of changes(client, { entity: id }, stop.signal)) {
      found = await read();
      if (!isUnseen(found)) break;
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  return found;
}

/** A machine or vApp that nobody has seen in its cluster yet. */
function isUnseen(found: Entity): boolean {
  return (found as Entity & { readonly status?: string }).status === 'UNRESOLVED';
}
