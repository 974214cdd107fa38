/**
 * Verbs that change something: the server answers with the object and, if a cluster must follow, with a task. --wait
 * waits for it.
 */
import type { Schemas } from '@ssvirt/api-client/client';
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import type { ApiClient } from '../api/client.ts';
import type { Changed, Entity } from '../api/entities.ts';
import type { Kind, PoweredKind } from '../api/kind.ts';
import { ended, outputOf, withExamples, withOutput, type Examples } from '../output/command.ts';
import { confirmDeletion, withYes } from '../output/confirm.ts';
import { note } from '../output/streams.ts';
import { isData, tellGenerated, withGenerated, type WithGenerated } from './generated-parameters.ts';
import { waitOf, withWait } from './wait-option.ts';

/** It takes longer only if no vm-controller watches the cluster. */
const soonMs = 5000;

export interface TaskVerb<T extends Entity> {
  readonly kind: Kind<T>;
  readonly examples: Examples;
  /** What to ask in a terminal before the request: it deletes something. */
  readonly question?: (args: readonly string[]) => string;
  /** Sends the request; resolves to the response. */
  readonly ask: (client: ApiClient, args: readonly string[]) => Promise<Changed<T> & WithGenerated>;
}

/**
 * Finishes a verb that creates or changes one object and prints it. `command` already has its arguments and options.
 */
export function finishTaskVerb<T extends Entity>(
  command: Command,
  { kind, examples, question, ask }: TaskVerb<T>,
): Command {
  if (question !== undefined) withYes(command);
  withExamples(withOutput(withWait(withServer(command))), examples);
  command.action((...given: unknown[]) =>
    ended(() =>
      asking(command, async (client) => {
        const { printOne } = await import('../output/print.ts');
        const args = given.flat().filter((one) => typeof one === 'string');
        const format = outputOf(command);
        if (question !== undefined) await confirmDeletion(command, question(args));
        const answered = await ask(client, args);
        tellGenerated(format, answered);
        try {
          const done = await afterTask(client, kind, answered, waitOf(command));
          printOne(kind.view, format, withGenerated(done, answered));
        } catch (error) {
          // The task may continue, and only this response has the values.
          if (isData(format) && answered.generatedParameters !== undefined) printOne(kind.view, format, answered);
          throw error;
        }
      }),
    ),
  );
  return command;
}

/** `afterTask` resolves to the object after its task is done, or to the first response without --wait. */
export async function afterTask<T extends Entity>(
  client: ApiClient,
  kind: Kind<T>,
  answered: Changed<T>,
  waitMs: number | undefined,
): Promise<T> {
  const { task } = answered;
  if (task === undefined) return answered;
  if (waitMs === undefined) {
    note(`${task.operation}: in progress; "ssvirt task wait ${task.id}" waits for it.`);
    return answered;
  }
  const until = Date.now() + waitMs;
  const { followTask } = await import('../task/follow.ts');
  const done = await followTask(client, task.id, waitMs);
  if (!isPowered(kind)) return kind.get(client.api, answered.id);
  // The task of a creation ends when the VM exists, and the VM starts after that.
  if (!powersOn(done)) return onceSeen(client, kind, answered.id);
  const { followStatus } = await import('./follow-status.ts');
  const timeoutMs = Math.max(1, until - Date.now());
  return (await followStatus(client, { kind, one: answered, awaited: 'running', timeoutMs })) ?? answered;
}

function isPowered<T extends Entity>(kind: Kind<T>): kind is PoweredKind<T> {
  return 'condition' in kind;
}

function powersOn({ operationName, details }: Schemas['Task']): boolean {
  return details['powerOn'] === true || ['vmPowerOn', 'vappPowerOn'].includes(operationName);
}

/**
 * The cluster reports a new object some milliseconds after its task is done. A user who has waited wants to see that
 * state.
 */
async function onceSeen<T extends Entity>(client: ApiClient, kind: PoweredKind<T>, id: string): Promise<T> {
  const read = (): Promise<T> => kind.get(client.api, id);
  const isSeen = (one: T): boolean => kind.condition(one).status !== 'UNRESOLVED';
  let found = await read();
  if (isSeen(found)) return found;
  const { changes } = await import('../api/changes.ts');
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), soonMs);
  try {
    for await (const _ of changes(client, { entity: id }, stop.signal)) {
      found = await read();
      if (isSeen(found)) break;
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
  return found;
}
