/** A decoded value of FIQL: removes its escapes and finds its wildcards. */
import type { Comparison, Operand } from '../../../db/lists/contracts.ts';

const escaped = new Set(['(', ')', ',', ';', '\\', '*']);

export function operandOf(value: string, comparison: Comparison): Operand {
  const pieces = [''];
  const wild = comparison === '==' || comparison === '!=';
  for (let at = 0; at < value.length; at += 1) {
    const character = value.charAt(at);
    const next = value.charAt(at + 1);
    if (character === '*' && wild) pieces.push('');
    else if (character === '\\' && escaped.has(next)) {
      append(pieces, next);
      at += 1;
    } else append(pieces, character);
  }
  return pieces.length === 1 ? { text: pieces.join('') } : { text: pieces.join('*'), pieces };
}

function append(pieces: string[], character: string): void {
  pieces[pieces.length - 1] += character;
}

/** `renderOperand` returns the inverse, which escapes everything that can be escaped: for links and tests. */
export function renderOperand({ text, pieces = [text] }: Operand): string {
  return pieces.map((piece) => piece.replaceAll(/[(),;\\*]/g, String.raw`\$&`)).join('*');
}
