/**
 * The form of a kubectl scenario: a list of commands with the expected answer of each. The same list runs with each
 * kubectl against the sandbox and against a real cluster, so every expectation is known to be Kubernetes' own behavior.
 * `{ns}` stands for the scenario's own namespace, which also makes cluster-wide names unique; `{x}` for what an earlier
 * step saved as x.
 */
import { defined } from '@ssvirt/base/values/defined';
export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Manifests by file name, for `-f`; they are in the folder in which kubectl runs. */
  readonly files?: { readonly [name: string]: string };
}

/** Exact text, or a pattern. */
export type Expected = string | RegExp | readonly RegExp[];

export interface Expectation {
  readonly out?: Expected;
  /** By default nothing if the command succeeds. */
  readonly err?: Expected;
  readonly code?: number;
}

export interface Step extends Expectation {
  /** The command line without `kubectl`; quotes as in a shell. */
  readonly args: string;
  readonly input?: string;
  /** A shell command that gets the file to edit as its last word. */
  readonly editor?: string;
  readonly env?: { readonly [name: string]: string };
  /** Retried until it is met: for the asynchronous work of a controller. */
  readonly eventually?: boolean;
  /** Keeps the standard output under this name. */
  readonly save?: string;
  /** Starts the command and goes on; `finish` ends it. */
  readonly background?: string;
  /** With `background`: continues only when the command has printed this on standard error, as it does with `-v=6`. */
  readonly begun?: RegExp;
  /** Waits until the background command of this name has met the expectation on its output, and stops it. */
  readonly finish?: string;
}

export function scenario(name: string, steps: readonly Step[], files?: Scenario['files']): Scenario {
  return { name, steps, ...defined({ files }) };
}

type Options = Omit<Step, 'args' | 'out' | 'err' | 'code'>;

/** The output of kubectl with `-v=6` when its watch is answered. */
export const isWatching: RegExp = /[?&]watch=true.*200 OK/;

/** A command that succeeds, with what it prints. */
export function run(args: string, out?: Expected, options: Options & { readonly err?: Expected } = {}): Step {
  return { args, ...defined({ out }), ...options };
}

/** A command that fails, with its message. */
export function fails(
  args: string,
  err: Expected,
  options: Options & { readonly code?: number; readonly out?: Expected } = {},
): Step {
  return { args, err, code: 1, ...options };
}

/**
 * A table: cells are separated by blanks, `*` is any one word, and `…` the rest of a line. Rows must be in this order,
 * alone in the output.
 */
export function table(text: string): RegExp {
  const rows = text
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(cell).join('\\s+'));
  return new RegExp(`^${rows.join(' *\\n')} *\\n$`);
}

function cell(text: string): string {
  if (text === '*') return '\\S+';
  return text === '…' ? '.*' : text.replaceAll(/[\\^$.*+?()[\]|]/g, String.raw`\$&`);
}

/** All of these lines are in the output, in any place; blanks count as one or more. */
export function lines(...texts: string[]): RegExp[] {
  return texts.map((text) => new RegExp(`^\\s*${text.trim().split(/\s+/).map(cell).join('\\s+')}\\s*$`, 'm'));
}
