/** `Advice` is the diagnosis that the debug commands print: whether something is wrong, and what to do. */
export interface Advice {
  /** `underway`: the only thing to do is to wait. */
  readonly verdict: 'well' | 'underway' | 'wrong';
  /** Most important first. */
  readonly sentences: readonly string[];
}

export function adviceHead({ verdict }: Pick<Advice, 'verdict'>): string {
  return verdict === 'underway' ? 'What it is waiting for' : 'What is wrong and what to do';
}

/** A working operator has reported something after this time. */
export const silenceMs = 30_000;

export function asSentence(text: string): string {
  return withEnd(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
}

export function withEnd(sentence: string): string {
  const bare = sentence.replace(/[\s.]+$/, '');
  return bare.endsWith('?') ? bare : `${bare}.`;
}
