/** Markdown: what of a page is prose, and which of its lines can be wrapped. */
import { blanked } from './quotations.ts';

/** A fence may stand in a list, and is closed by one of the same signs. */
const fenced = /^([ \t>]*(?:[-*+]|\d+\.)?[ \t]*)(`{3,}|~{3,})[^\n]*\n(?:[^]*?^[ \t>]*\2[`~]*[ \t]*$|[^]*$)/gm;
const comment = /<!--[^]*?-->/g;
const linkTarget = /(?<=\])\([^)\s]*\)|(?<=^\[[^\]]+\]:)[ \t]+\S+|<?https?:\/\/[^\s)>]+>?/gm;

/** `withoutFences` blanks fenced code. */
export function withoutFences(markdown: string): string {
  return markdown.replaceAll(fenced, blanked);
}

/** `proseOf` blanks what no person reads as a sentence: fenced code, comments and the targets of links. */
export function proseOf(markdown: string): string {
  return withoutFences(markdown).replaceAll(comment, blanked).replaceAll(linkTarget, blanked);
}

export interface LongLine {
  /** Counted from 1. */
  readonly line: number;
  readonly columns: number;
  readonly text: string;
}

/** Tables, headings, and lines that are one link: they have no place to wrap at. */
const isUnbreakable =
  /^\s*(?:\||#{1,6} |(?:(?:[-*+]|\d+\.)\s+)?(?:\[[^\]]*\]\([^)]*\)|<?https?:\S+|\[[^\]]+\]:\s+\S+)[.,:;]?\s*$)/;

/** `longLines` are the lines of prose with more than `limit` columns. */
export function longLines(markdown: string, limit: number): readonly LongLine[] {
  const lines = markdown.split('\n');
  return withoutFences(markdown)
    .split('\n')
    .flatMap((prose, at) => {
      const text = lines[at] ?? '';
      const columns = [...text].length;
      if (columns <= limit || isUnbreakable.test(text) || prose !== text) return [];
      return [{ line: at + 1, columns, text }];
    });
}
