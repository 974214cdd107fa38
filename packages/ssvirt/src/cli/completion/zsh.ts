import { flagsOfNames, type Node } from './tree.ts';

export function zshCompletion(nodes: readonly Node[]): string {
  const branches = nodes.map(({ path, words, flags, names }) =>
    [
      `    ${quoted(path)})`,
      `      words_here=(${words.map(described).join(' ')})`,
      `      flags_here=(${flags.map(described).join(' ')})`,
      `      names_here=${quoted(names ?? '')}`,
      '      ;;',
    ].join('\n'),
  );
  const valued = [
    ...new Set(nodes.flatMap(({ flags }) => flags.filter(({ hasValue }) => hasValue).map(({ word }) => word))),
  ];
  return `#compdef ssvirt kubectl-ssvirt
# Completion of ssvirt for zsh: put it as _ssvirt into a folder of $fpath.
_ssvirt_node() {
  words_here=() flags_here=() names_here=
  case $1 in
${branches.join('\n')}
    *) return 1 ;;
  esac
}

_ssvirt() {
  local -a words_here flags_here found
  local names_here path_here='' word i takes_value=0
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if ((takes_value)); then takes_value=0; continue; fi
    case $word in
      ${valued.join(' | ')}) takes_value=1; continue ;;
      -*) continue ;;
    esac
    _ssvirt_node "\${path_here:+$path_here }$word" && path_here="\${path_here:+$path_here }$word"
  done
  _ssvirt_node "$path_here" || return 0
  case \${words[CURRENT - 1]} in
    -o | --output) compadd table wide json yaml name; return ;;
    ${flagsOfNames.join(' | ')}) found=(\${(f)"$(ssvirt \${words[CURRENT - 1]#--} list -o name 2>/dev/null)"}); compadd -a found; return ;;
  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -t flags flag flags_here
  elif ((\${#words_here})); then
    _describe -t commands command words_here
  elif [[ -n $names_here ]]; then
    found=(\${(f)"$(ssvirt $names_here list -o name 2>/dev/null)"})
    compadd -a found
  else
    _files
  fi
}

if [[ \${funcstack[1]} == _ssvirt ]]; then _ssvirt "$@"; else compdef _ssvirt ssvirt kubectl-ssvirt; fi
`;
}

function described({ word, description }: { readonly word: string; readonly description: string }): string {
  return quoted(description === '' ? escaped(word) : `${escaped(word)}:${description}`);
}

/** A colon separates a word from its description in zsh's lists. */
function escaped(word: string): string {
  return word.replaceAll(':', String.raw`\:`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
