/** Asks before something is deleted. */
import { createInterface } from 'node:readline/promises';
import type { Command } from 'commander';
import { CliFailure } from './failure.ts';

export function withYes(command: Command): Command {
  return command.option('--yes', 'do not ask for confirmation');
}

/** `confirmDeletion` throws unless the user agrees in a terminal. Without one, as in scripts, and with `--yes` it does not ask. */
export async function confirmDeletion(command: Command, question: string): Promise<void> {
  const { stdin, stderr } = process;
  const { yes = false } = command.opts<{ readonly yes?: boolean }>();
  if (!yes && stdin.isTTY && stderr.isTTY && !(await agrees(question))) throw new CliFailure('nothing was changed.');
}

/** `agrees` returns whether the answer is yes. The end of the input means no. */
export async function agrees(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `).catch(() => ''), ended]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}
