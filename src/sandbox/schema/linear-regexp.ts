/**
 * Expressions that clients bring: Go matches them in time that is linear in the text, a backtracking engine may take for ever.
 * V8 has a linear engine to fall back on. It knows no Unicode mode, so a second form without it is tried where that means
 * the same: for texts of the basic plane, by expressions that ask for no properties.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

/** Properties, modifiers and classes within classes exist in the Unicode mode only. */
const UNICODE_ONLY = /\\p|\(\?[a-z]*[-a-z]+:|\[[^\]]*\[/i;
const SURROGATE = /[\ud800-\udfff]/;

export class LinearRegExp extends RegExp {
  readonly #basic: RegExp | undefined;

  /** `source` in the syntax of the `v` flag, with characters escaped by code where they are no letters or digits. */
  constructor(source: string) {
    super(source, 'v');
    this.#basic = basicForm(source);
  }

  override test(text: string): boolean {
    return this.#basic === undefined || SURROGATE.test(text) ? super.test(text) : this.#basic.test(text);
  }
}

function basicForm(source: string): RegExp | undefined {
  if (UNICODE_ONLY.test(source)) return undefined;
  const basic = source.replaceAll(/\\u\{([0-9a-f]{1,4})\}/g, (_, code: string) => `\\u${code.padStart(4, '0')}`);
  return basic.includes('\\u{') ? undefined : new RegExp(basic);
}
