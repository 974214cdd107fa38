/** The ssvirt command: picks the process, nothing else. */
import { Command } from 'commander';
import { commandLine } from './cli/command-line.ts';
import { tellsOfAll } from './cli/nouns.ts';
import { commands, missingCommand } from './commands.ts';
import { endOfUsage, pointAtHelp, startOf } from './cli/output/command.ts';
import { exitCodeLines } from './cli/output/exit-code.ts';
import { ConfigError } from '@ssvirt/base/config/setting';
import { version } from '@ssvirt/base/config/version';

const program = new Command('ssvirt')
  .description('Self-service virtual machines on KubeVirt')
  .version(version, '--version', 'print the version')
  .exitOverride(endOfUsage)
  .addHelpText('after', () => `\nExit codes:\n${exitCodeLines()}`)
  // A flag belongs to the command before it: `sandbox fault list --kubeconfig FILE` is not the kubeconfig of `sandbox`.
  .enablePositionalOptions();

const missing = missingCommand(process.argv[2] ?? '');
if (missing !== undefined) {
  process.stderr.write(`ssvirt: ${missing}\n`);
  process.exit(2);
}

const asked = Object.entries(commands).filter(([name]) => name === process.argv[2]);
// For the help, or for a name to suggest, all are needed; and for what tells of them.
const needed =
  process.argv[2] === '--version' || (asked.length > 0 && !tellsOfAll.has(process.argv[2] ?? ''))
    ? asked
    : Object.entries(commands);
for (const [, load] of needed) (await load())(program);
pointAtHelp(program);
program.hook('preAction', (_, command) => startOf(command));

try {
  await program.parseAsync([...process.argv.slice(0, 2), ...commandLine(process.argv.slice(2))]);
} catch (error) {
  // Meant for the person who wrote the config; any other error is a defect and shows its stack.
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`ssvirt: ${error.message}\n`);
  process.exitCode = 1;
}

// When nothing is left to do, Node takes its handles down, and on a busy machine that may turn for ever (seen with 24.21.0). Whoever has come so far may go.
process.once('beforeExit', () => process.once('exit', (code) => process.exit(code)));
