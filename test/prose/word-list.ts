/** The words that almost always mark a sentence to rewrite; the style guide has what to write in their place. */

const words =
  /\b(?:(?<!\buser )nobody|somebody|whosoever|anew|(?:is|are|was|were)\s+told|none\s+of\s+it|what\s+there\s+is|unless\s+said|it\s+is\s+so|a\s+wish|is\s+away|stands(?!\s+(?:for|still|alone)\b))\b/gi;

export interface Hit {
  readonly offset: number;
  readonly word: string;
}

/** `hitsIn` finds the words in a text; `stands for` and `stands still` say something else than `is`, and `the user nobody` is a name. */
export function hitsIn(text: string): readonly Hit[] {
  return [...text.matchAll(words)].map(({ 0: word, index }) => ({ offset: index, word }));
}
