/** What all user commands have in common: their help, their output, and how they end. */
import { Option, type Command, type CommanderError } from 'commander';
import { exitCodes, type ExitCode } from './exit-code.ts';
import { CliFailure } from './failure.ts';
import { note } from './streams.ts';
import { formats, type Format } from './view.ts';

/** A wrong command line always ends with the same exit code. */
export function endOfUsage({ code, exitCode }: CommanderError): never {
  // `command.error` is an error of the action itself, with its own exit code.
  process.exit(exitCode === 0 || code === 'commander.error' ? exitCode : exitCodes.usage);
}

/** After an error in the command line, each command points at its own help. */
export function pointAtHelp(command: Command): void {
  command.showHelpAfterError(`(${helpHint(command)})`);
  for (const child of command.commands) pointAtHelp(child);
}

function helpHint(command: Command): string {
  return `see "${pathOf(command)} --help"`;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

/** The command whose action runs: a process runs one. */
let running: Command | undefined;

export function startOf(command: Command): void {
  running = command;
}

/** The help of every verb has at least two examples; a test parses each. */
export type Examples = readonly [string, string, ...string[]];

export function withExamples(command: Command, examples: Examples, exits?: string): Command {
  const ending = exits === undefined ? '' : `\n\nExit code: ${exits}.`;
  return command.addHelpText('after', `\nExamples:\n${examples.map((one) => `  ${one}`).join('\n')}${ending}`);
}

export function withOutput(command: Command, choices: readonly Format[] = formats): Command {
  return command.addOption(
    new Option('-o, --output <FORMAT>', 'the output format').choices([...choices]).default(choices[0] ?? 'table'),
  );
}

export function outputOf(command: Command): Format {
  return command.opts<{ readonly output: Format }>().output;
}

/** `ended` runs an action: its result is the exit code (0 if undefined), and an error becomes a sentence on stderr. */
export async function ended(action: () => Promise<ExitCode | void>): Promise<void> {
  // The reader may have closed the pipe: `| head`.
  process.stdout.once('error', () => process.exit(exitCodes.done));
  try {
    process.exitCode = (await action()) ?? exitCodes.done;
  } catch (error) {
    process.exitCode = error instanceof CliFailure ? error.exitCode : exitCodes.failed;
    note(`ssvirt: ${await messageOf(error)}`);
    if (process.exitCode === exitCodes.usage && running !== undefined) note(`(${helpHint(running)})`);
  }
}

/**
 * A defect prints only its message, not its stack. The cluster modules are loaded only here, because that takes longer
 * than most commands.
 */
async function messageOf(cause: unknown): Promise<string> {
  if (cause instanceof CliFailure) return cause.message;
  const [{ ConfigError }, { KubeError }, { KubeconfigError }] = await Promise.all([
    import('@ssvirt/base/config/setting'),
    import('@ssvirt/kube/errors'),
    import('@ssvirt/kube/kubeconfig/load'),
  ]);
  if (cause instanceof ConfigError || cause instanceof KubeconfigError) return cause.message;
  if (cause instanceof KubeError) return `the request to the cluster failed: ${cause.message}`;
  return `unexpected error, please report this bug: ${cause instanceof Error ? cause.message : String(cause)}`;
}
