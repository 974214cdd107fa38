/** Doubles as Go's strconv parses and prints them. */

const DECIMAL = /^[+-]?(?:[0-9]+(?:_[0-9]+)*\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

export function parseDouble(text: string): number | undefined {
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (word !== null) {
    if (word[2]?.toLowerCase() === 'nan') return word[1] === '' ? Number.NaN : undefined;
    return word[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (!DECIMAL.test(text)) return undefined;
  const value = Number(text);
  // In Go a number that is too large is an error, not infinity.
  return Number.isFinite(value) ? value : undefined;
}

/** All digits without an exponent: `%f` with the shortest precision. */
export function plainDouble(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [digits = '', exponent = '0'] = text.replace('-', '').split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const power = Number(exponent);
  const sign = value < 0 ? '-' : '';
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction}${'0'.repeat(power - fraction.length)}`;
}
