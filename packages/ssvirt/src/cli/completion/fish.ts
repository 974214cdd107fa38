import { flagsOfNames, listing, type FlagWord, type Node } from './tree.ts';

/** One line for each word and each flag, with the condition that the preceding words select its command. */
export function fishCompletion(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, words, flags, names }) => {
    const at = `complete -c ssvirt -n ${quoted(`__ssvirt_at ${quoted(path)}`)}`;
    return [
      ...words.map(({ word, description }) => `${at} -a ${word} -d ${quoted(description)}`),
      ...flags.map((flag) => `${at} ${wordOf(flag)}${valueOf(flag)} -d ${quoted(flag.description)}`),
      ...(names === undefined ? [] : [`${at} -a '(${listing(names)})'`]),
    ];
  });
  const paths = nodes.map(({ path }) => quoted(path)).join(' ');
  return `# Completion of ssvirt for fish: put it into ~/.config/fish/completions/ssvirt.fish.
function __ssvirt_at
    set -l known ${paths}
    set -l here ''
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$here $word")
        contains -- $next $known; and set here $next
    end
    test "$here" = "$argv[1]"
end

# Files are offered where a flag takes one.
complete -c ssvirt -f
complete -c kubectl-ssvirt -w ssvirt
${lines.join('\n')}
`;
}

function wordOf({ word }: FlagWord): string {
  return word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`;
}

function valueOf({ word, hasValue, choices }: FlagWord): string {
  if (!hasValue) return '';
  if (choices.length > 0) return ` -x -a ${quoted(choices.join(' '))}`;
  const named = flagsOfNames.find((one) => one === word);
  return named === undefined ? ' -r -F' : ` -x -a '(${listing(named.slice(2))})'`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}
