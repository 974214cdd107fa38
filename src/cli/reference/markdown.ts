import type { Command } from 'commander';
import { exitCodeTexts } from '../output/exit-code.ts';
import { nouns } from '../nouns.ts';

const head = `# Reference of the ssvirt command

Written by \`make docs\` out of the command itself; \`ssvirt COMMAND --help\` says the same. How to begin is in [tenant/cli.md](tenant/cli.md).

Exit codes:
`;

/** The commands of people, then processes and tools. */
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
    'Most of their flags are settings, which [configuration.md](configuration.md) explains with their variables and their places in the file.',
    '',
    ...others.flatMap((one) => pageOf(one, `ssvirt ${one.name()}`, 3)),
  ].join('\n');
}

function pageOf(command: Command, path: string, level: number): readonly string[] {
  const help = command.createHelp();
  const verbs = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  // A noun does nothing by itself; a process with tools beside it does.
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

/** What stands behind the help, as it is printed. */
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
