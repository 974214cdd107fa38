/**
 * Checks the tokens of a YAML text before it is parsed. The YAML parser needs a minute for a thousand bytes of nested
 * `? {`, and seconds for other inputs, and blocks the event loop meanwhile: no lease is renewed. Anyone who can write a
 * Secret could cause that.
 */
import { Lexer } from 'yaml';

/** A kubeconfig has six levels; the rest is for extensions. */
const deepest = 32;

/** `complexityProblem` describes what exceeds the limits, or returns undefined. It reads at most `mostTokens` tokens. */
export function complexityProblem(text: string, mostTokens: number): string | undefined {
  let tokens = 0;
  let depth = 0;
  for (const token of new Lexer().lex(text)) {
    if (++tokens > mostTokens) return 'it is far larger than a kubeconfig can be';
    if (token === '?') return 'it contains a key marked by "?": write the key without it';
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth = Math.max(0, depth - 1);
    if (depth > deepest) return `it is nested deeper than ${deepest} levels`;
  }
  return undefined;
}
