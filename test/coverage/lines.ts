/** Lines of code, and how many of them ran. */
import { stripTypeScriptTypes } from 'node:module';

export interface Figure {
  readonly lines: number;
  readonly run: number;
}

/** The lines of one source. Blank lines, comments and types are no code; a line counts if a part of it ran. */
export function linesOf(source: string, run: Uint8Array | undefined): Figure {
  let start = 0;
  let lines = 0;
  let ran = 0;
  for (const line of stripTypeScriptTypes(source).split('\n')) {
    if (isCode(line)) {
      lines += 1;
      if (run !== undefined && isRun(line, run.subarray(start, start + line.length))) ran += 1;
    }
    start += line.length + 1;
  }
  return { lines, run: ran };
}

function isCode(line: string): boolean {
  // A line of brackets alone counts like the one before it.
  return /[^\s[\](){};,]/.test(line) && !/^\s*(\/\/|\/\*|\*)/.test(line);
}

function isRun(line: string, run: Uint8Array): boolean {
  return run.some((was, at) => was === 1 && line[at] !== ' ' && line[at] !== '}');
}

export function sum(figures: readonly Figure[]): Figure {
  return figures.reduce((all, { lines, run }) => ({ lines: all.lines + lines, run: all.run + run }), {
    lines: 0,
    run: 0,
  });
}

export function percent({ lines, run }: Figure): number {
  return lines === 0 ? 100 : (100 * run) / lines;
}
