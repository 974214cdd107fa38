/**
 * A look at the tokens of a YAML text before it is parsed. Its parser takes a minute for a thousand bytes of nested `? {`, seconds for others, and
 * nothing else runs meanwhile: no lease is renewed. Whoever can write a Secret could do that to us.
 */
import { Lexer } from 'yaml';

/** A kubeconfig has six levels; the rest is for extensions. */
const deepest = 32;

/** Says what is too much, or undefined. It looks no further than the first `mostTokens`. */
export function complexityProblem(text: string, mostTokens: number): string | undefined {
  let tokens = 0;
  let depth = 0;
  for (const token of new Lexer().lex(text)) {
    if (++tokens > mostTokens) return 'it is far longer than kubeconfigs are';
    if (token === '?') return 'it holds a key that is marked by "?": write it without';
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth = Math.max(0, depth - 1);
    if (depth > deepest) return `it is nested deeper than ${deepest} levels`;
  }
  return undefined;
}
