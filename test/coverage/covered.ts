/**
 * Which characters of the sources ran in any of many processes, from the files that Node writes for NODE_V8_COVERAGE.
 * Types are stripped from sources in place, so V8's offsets are those of the files.
 */

/** The format that V8 writes: ranges within a function are nested, and the innermost counts. */
export interface V8Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
    }[];
  }[];
}

export class Covered {
  /** By the URL of a file: 1 for a character that ran. */
  readonly #files = new Map<string, Uint8Array>();
  readonly #wants: (url: string) => boolean;

  constructor(wants: (url: string) => boolean) {
    this.#wants = wants;
  }

  /** The coverage of one process. */
  add({ result }: V8Coverage): void {
    for (const { url, functions } of result.filter((script) => this.#wants(script.url))) {
      const ranges = functions.flatMap((one) => one.ranges);
      const length = ranges.reduce((most, { endOffset }) => Math.max(most, endOffset), 0);
      const run = new Uint8Array(length);
      // V8 lists outer functions before inner ones, and outer ranges before inner ones.
      for (const { startOffset, endOffset, count } of ranges) run.fill(count > 0 ? 1 : 0, startOffset, endOffset);
      this.#files.set(url, either(this.#files.get(url), run));
    }
  }

  /** Undefined if no process has loaded it. */
  of(url: string): Uint8Array | undefined {
    return this.#files.get(url);
  }
}

function either(before: Uint8Array | undefined, now: Uint8Array): Uint8Array {
  if (before === undefined) return now;
  const [longer, shorter] = before.length >= now.length ? [before, now] : [now, before];
  for (const [at, was] of shorter.entries()) if (was === 1) longer[at] = 1;
  return longer;
}

/**
 * The environment of a process whose coverage, with that of its children, goes into the folder. Code from the compile
 * cache is not counted branch by branch.
 */
export function measuring(folder: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: '1' };
}
