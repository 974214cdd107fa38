/**
 * Regular expressions from clients. Go matches them in time linear in the text, but a backtracking engine can take
 * forever. V8 can fall back to a linear engine, which does not support Unicode mode. So a second form without Unicode
 * mode is used where it means the same: for texts of the basic plane and expressions without properties.
 */
import { setFlagsFromString } from 'node:v8';

setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

/** Properties, modifiers and nested classes exist only in Unicode mode. */
const UNICODE_ONLY = /\\p|\(\?[a-z]*[-a-z]+:|\[[^\]]*\[/i;
const SURROGATE = /[\ud800-\udfff]/;

export class LinearRegExp extends RegExp {
  readonly #basic: RegExp | undefined;

  /** `source` has the syntax of the `v` flag, with all characters except letters and digits escaped by code point. */
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
