/** What all commands of a person have in common: how they are asked for help, what they print, and how they end. */
import { Option, type Command, type CommanderError } from 'commander';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { CliFailure } from './failure.ts';
import { note } from './streams.ts';
import { formats, type Format } from './view.ts';

/** A wrong command line ends with its own code, whatever command it is of. */
export function endOfUsage({ code, exitCode }: CommanderError): never {
  // What a command says itself (`command.error`) is about what it does, and has its own.
  process.exit(exitCode === 0 || code === 'commander.error' ? exitCode : exitCodes.usage);
}

/** Two examples at least are in the help of every verb; a test parses each. */
export type Examples = readonly [string, string, ...string[]];

export function withExamples(command: Command, examples: Examples, exits?: string): Command {
  const ending = exits === undefined ? '' : `\n\nExit code: ${exits}.`;
  return command.addHelpText('after', `\nExamples:\n${examples.map((one) => `  ${one}`).join('\n')}${ending}`);
}

export function withOutput(command: Command, choices: readonly Format[] = formats): Command {
  return command.addOption(
    new Option('-o, --output <FORMAT>', 'what is printed').choices([...choices]).default(choices[0] ?? 'table'),
  );
}

export function outputOf(command: Command): Format {
  return command.opts<{ readonly output: Format }>().output;
}

/** Runs what a command does: what it resolves to is the exit code (0 for nothing), and whatever goes wrong is a sentence on stderr. */
export async function ended(action: () => Promise<ExitCode | void>): Promise<void> {
  // Who reads may have read enough: `| head`.
  process.stdout.once('error', () => process.exit(exitCodes.done));
  try {
    process.exitCode = (await action()) ?? exitCodes.done;
  } catch (error) {
    process.exitCode = error instanceof CliFailure ? error.exitCode : exitCodes.failed;
    note(`ssvirt: ${await told(error)}`);
  }
}

/** A defect of ours says so, and no more: what is in its stack nobody asked for. What knows of clusters is loaded only here: it takes longer than most commands. */
async function told(cause: unknown): Promise<string> {
  if (cause instanceof CliFailure) return cause.message;
  const [{ ConfigError }, { ApiError }, { KubeconfigError }] = await Promise.all([
    import('../../config/setting.ts'),
    import('../../kube/errors.ts'),
    import('../../kube/kubeconfig/load.ts'),
  ]);
  if (cause instanceof ConfigError || cause instanceof KubeconfigError) return cause.message;
  if (cause instanceof ApiError) return `cannot ask the cluster: ${cause.message}`;
  return `it ended unexpectedly, which is a defect: ${cause instanceof Error ? cause.message : String(cause)}`;
}
