/** Parses numbers of a command line. */
export function count(name: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new Error(`--${name}: "${text}" is not a number from 1 to 99999`);
  return Number(text);
}
