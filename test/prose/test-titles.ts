/** Which strings of a test file are titles of tests: what a run prints, and what a person searches for. */
import { isSentence, readSource, type Span } from './source-text.ts';

/** The calls that name a test or a group of tests; some take an id before the title. */
const call = /\b(?:test|it|describe|suite|kase|\w*[cC]ase|election)(?:\.\w+)?\(\s*(?:'[^'\n]*',\s*)?$/;
/** Titles in a table of cases: by the name of their field, or in a row that is an array. */
const field = /\b(?:name|reason|why|what|of):\s*$/;
const row = /\[\s*(?:(?:'[^'\n]*'|[\w.]+),\s*)*$/;
/** Enough to see what a string is an argument of. */
const contextLength = 300;

/** `titlesOf` returns the titles in the source of a test file, of those that are sentences. */
export function titlesOf(source: string): readonly Span[] {
  return readSource(source).strings.filter((span) => isSentence(span) && isTitle(source, span.start - 1));
}

function isTitle(source: string, quote: number): boolean {
  const before = source.slice(Math.max(0, quote - contextLength), quote);
  return [call, field, row].some((pattern) => pattern.test(before));
}
