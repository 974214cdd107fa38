/** Code spans and quotations in prose. Names and other people's words stand in them, so no rule of language holds there. */
import { filler } from './source-text.ts';

/** Of one backtick or more, within one paragraph. */
const codeSpan = /(?<!`)(`+)(?!`)(?:(?!\n\s*\n)[^])+?(?<!`)\1(?!`)/g;
/** The quotation marks stand where a word begins and ends, so that those of inches and of cut texts open nothing. */
const doubleQuotes = /(?<![\w)])"(?=\S)(?:(?!\n\s*\n)[^"]){1,160}(?<=\S)"(?!\w)|“[^”]{1,160}”/g;
const singleQuotes = /(?<![\w)])'(?=\S)[^'\n]{1,60}(?<=\S)'(?!\w)|‘[^’\n]{1,60}’/g;

/** `withoutCode` blanks code spans. */
export function withoutCode(text: string): string {
  return text.replaceAll(codeSpan, blanked);
}

/** `withoutQuotations` blanks code spans and quotations. */
export function withoutQuotations(text: string): string {
  return withoutCode(text).replaceAll(doubleQuotes, blanked).replaceAll(singleQuotes, blanked);
}

/** `blanked` gives a text of the same length and the same lines that has no words. */
export function blanked(text: string): string {
  return text.replaceAll(/[^\n]/g, filler);
}
