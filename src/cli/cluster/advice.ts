/** What is told to whoever asks what is wrong: whether anything is, and what to do. */
export interface Advice {
  /** `underway`: nobody has to do anything but wait. */
  readonly verdict: 'well' | 'underway' | 'wrong';
  /** The first is the one to begin with. */
  readonly sentences: readonly string[];
}

export function adviceHead({ verdict }: Advice): string {
  return verdict === 'underway' ? 'What is being waited for' : 'What is wrong and what to do';
}

/** After that long an operator that works has said something. */
export const silenceMs = 30_000;

export function asSentence(text: string): string {
  return withEnd(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
}

export function withEnd(sentence: string): string {
  const bare = sentence.replace(/[\s.]+$/, '');
  return bare.endsWith('?') ? bare : `${bare}.`;
}
