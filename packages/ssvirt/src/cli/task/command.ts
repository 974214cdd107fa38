/** `ssvirt task …`: running tasks and their results. */
import type { Command } from 'commander';
import { asking, withServer } from '../api/asking.ts';
import { dataOf } from '../api/data-of.ts';
import { tasks } from '../api/entity-kinds.ts';
import { ended, outputOf, withExamples, withOutput } from '../output/command.ts';
import { addGetVerb } from '../verbs/get-verb.ts';
import { addListVerb } from '../verbs/list-verb.ts';
import { waitMs } from '../verbs/wait-option.ts';
import { finishWriteVerb } from '../verbs/write-verb.ts';

const example = 'urn:vcloud:task:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11';

export function registerTaskCommand(program: Command): void {
  const task = program.command('task').description('tasks: asynchronous requests and their results');
  addListVerb(task, {
    description: 'list tasks, newest first',
    examples: ['ssvirt task list --limit 10', 'ssvirt task list --status running --watch'],
    easy: ['status'],
    kind: () => tasks,
  });
  addGetVerb(task, tasks, { examples: [`ssvirt task get ${example}`, `ssvirt task get ${example} -o json`] });
  addWait(task);
  const cancel = task
    .command('cancel')
    .description('cancel a task: what it created so far is deleted, and the desired power state stays')
    .argument('<URN>', 'the URN of the task');
  finishWriteVerb(cancel, {
    view: tasks.view,
    examples: [`ssvirt task cancel ${example}`, `ssvirt task cancel ${example} -o json`],
    ask: async (client, [given = '']) => {
      const { resolved } = await import('../api/names.ts');
      const { id: taskId } = await resolved(client, tasks, given);
      return dataOf(client.api.POST('/cloudapi/1.0.0/tasks/{taskId}/cancel', { params: { path: { taskId } } }));
    },
  });
}

function addWait(task: Command): void {
  const command = withServer(
    task
      .command('wait')
      .description('wait until a task has ended, and show its progress')
      .argument('<URN>', 'the URN of the task')
      .option('--timeout <DURATION>', 'the timeout', waitMs, waitMs('15m')),
  );
  withExamples(
    withOutput(command),
    [`ssvirt task wait ${example}`, `ssvirt task wait ${example} --timeout 5m -o json`],
    '0 when it succeeded, 6 when it did not, 7 on timeout',
  );
  command.action((given: string) =>
    ended(() =>
      asking(command, async (client) => {
        const [{ resolved }, { followTask }, { printOne }] = await Promise.all([
          import('../api/names.ts'),
          import('./follow.ts'),
          import('../output/print.ts'),
        ]);
        const { id } = await resolved(client, tasks, given);
        const done = await followTask(client, id, command.opts<{ readonly timeout: number }>().timeout);
        printOne(tasks.view, outputOf(command), done);
      }),
    ),
  );
}
