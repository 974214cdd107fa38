import type { Node } from './tree.ts';

/** A line for each word and each flag, with the condition that the words before it lead to its command. */
export function fishCompletion(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, words, flags, names }) => {
    const at = `-n ${quoted(`__ssvirt_at ${quoted(path)}`)}`;
    return [
      ...words.map(({ word, description }) => `complete -c ssvirt -f ${at} -a ${word} -d ${quoted(description)}`),
      ...flags
        .filter(({ word }) => word.startsWith('--'))
        .map(({ word, description, hasValue, choices }) => {
          const value = hasValue ? ` -r${choices.length > 0 ? ` -f -a ${quoted(choices.join(' '))}` : ''}` : '';
          return `complete -c ssvirt ${at} -l ${word.slice(2)}${value} -d ${quoted(description)}`;
        }),
      ...(names === undefined ? [] : [`complete -c ssvirt -f ${at} -a '(ssvirt ${names} list -o name 2>/dev/null)'`]),
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

${lines.join('\n')}
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`;
}
