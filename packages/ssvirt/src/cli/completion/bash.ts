import { flagsOfNames, type Node } from './tree.ts';

/** The words before the cursor select a command; completion offers its subcommands, its flags, or names of objects. */
export function bashCompletion(nodes: readonly Node[]): string {
  const branches = nodes.map(({ path, words, flags, names }) =>
    [
      `    ${quoted(path)})`,
      `      words=${quoted(words.map(({ word }) => word).join(' '))}`,
      `      flags=${quoted(flags.map(({ word }) => word).join(' '))}`,
      `      names=${quoted(names ?? '')}`,
      '      ;;',
    ].join('\n'),
  );
  const valued = [
    ...new Set(nodes.flatMap(({ flags }) => flags.filter(({ hasValue }) => hasValue).map(({ word }) => word))),
  ];
  return `# Completion of ssvirt for bash: source it, or put it where bash-completion finds it.
_ssvirt_node() {
  words= flags= names=
  case $1 in
${branches.join('\n')}
    *) return 1 ;;
  esac
}

_ssvirt() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local path='' words flags names word i takes_value=0
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if ((takes_value)); then takes_value=0; continue; fi
    case $word in
      ${valued.join(' | ')}) takes_value=1; continue ;;
      -*) continue ;;
    esac
    _ssvirt_node "\${path:+$path }$word" && path="\${path:+$path }$word"
  done
  _ssvirt_node "$path" || return 0
  case $previous in
    -o | --output) COMPREPLY=($(compgen -W 'table wide json yaml name' -- "$current")); return 0 ;;
    ${flagsOfNames.join(' | ')}) names=\${previous#--}; flags=; words= ;;
    ${valued.filter((word) => !['-o', '--output', ...flagsOfNames].includes(word)).join(' | ')}) return 0 ;;
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  elif [[ -n $words ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  elif [[ -n $names ]]; then
    local IFS=$'\\n'
    COMPREPLY=($(compgen -W "$(ssvirt "$names" list -o name 2>/dev/null)" -- "$current"))
  fi
}

complete -o default -F _ssvirt ssvirt kubectl-ssvirt
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
