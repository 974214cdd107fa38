import type { Command } from 'commander';
import { exitCodeTexts } from '../output/exit-code.ts';
import { nouns } from '../nouns.ts';

const head = `# Reference of the ssvirt command

Generated from the command by \`make docs\`; \`ssvirt COMMAND --help\` shows the same. To get started, see [tenant/cli.md](tenant/cli.md).

Exit codes:
`;

/** User commands first, then processes and tools. */
export function reference(program: Command): string {
  const codes = exitCodeTexts.map(([code, text]) => `| ${code} | ${text} |`);
  const help = program.createHelp();
  const shown = help.visibleCommands(program).filter((one) => one.name() !== 'help');
  const people = shown.filter((one) => Object.hasOwn(nouns, one.name()));
  const others = shown.filter((one) => !Object.hasOwn(nouns, one.name()));
  return [
    head,
    '| code | meaning |',
    '| --- | --- |',
    ...codes,
    '',
    ...people.flatMap((one) => pageOf(one, `ssvirt ${one.name()}`, 2)),
    '## Processes and tools',
    '',
    'Most of their flags are settings; [configuration.md](configuration.md) describes them with their environment variables and their keys in the config file.',
    '',
    ...others.flatMap((one) => pageOf(one, `ssvirt ${one.name()}`, 3)),
  ].join('\n');
}

function pageOf(command: Command, path: string, level: number): readonly string[] {
  const help = command.createHelp();
  const verbs = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  // A noun has no action of its own; a process with tools below it has one.
  const examples = examplesOf(command);
  const own =
    verbs.length > 0 && examples.length === 0
      ? []
      : ['```text', `${path}${usageOf(command)}`, '', ...optionLines(command), ...examples, '```', ''];
  return [
    `${'#'.repeat(level)} ${path}`,
    '',
    sentence(command.description()),
    '',
    ...own,
    ...verbs.flatMap((one) => pageOf(one, `${path} ${one.name()}`, Math.min(level + 1, 4))),
  ];
}

function usageOf(command: Command): string {
  return command.registeredArguments
    .map((one) => {
      const name = `${one.name()}${one.variadic ? '...' : ''}`;
      return one.required ? ` <${name}>` : ` [${name}]`;
    })
    .join('');
}

function optionLines(command: Command): readonly string[] {
  const help = command.createHelp();
  const terms = [
    ...help.visibleArguments(command).map((one) => [help.argumentTerm(one), help.argumentDescription(one)] as const),
    ...help.visibleOptions(command).map((one) => [help.optionTerm(one), help.optionDescription(one)] as const),
  ].filter(([term]) => !term.includes('--help'));
  const width = Math.max(0, ...terms.map(([term]) => term.length));
  return terms.map(([term, text]) => `  ${term.padEnd(width)}  ${text}`);
}

/** The text that is printed after the help. */
function examplesOf(command: Command): readonly string[] {
  let after = '';
  command.configureOutput({ writeOut: (text) => (after += text) });
  command.outputHelp();
  const at = after.indexOf('\nExamples:\n');
  return at < 0 ? [] : after.slice(at).trimEnd().split('\n');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
