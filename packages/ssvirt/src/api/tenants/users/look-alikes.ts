/**
 * User names that people take for each other. Two names look alike if their skeletons are equal, written in small or in
 * capital letters. A skeleton has one form of each character (Unicode NFKC: full width, ligatures, mathematical
 * letters), no invisible characters, and a Latin letter in place of the Cyrillic, Greek and Armenian letters and the
 * digits that look like it. Accents count: "zoe" and "zoë" differ.
 */

type Shapes = Readonly<Record<string, string>>;

/** For each Latin letter the characters that look like it. Escaped, because no reader could tell them apart. */
const small: Shapes = {
  a: '\u0430\u0251\u03b1',
  b: '\u044c\u0432',
  c: '\u0441\u03f2',
  d: '\u0501',
  e: '\u0435\u03b5\u0454',
  f: '\u0584',
  g: '\u0261\u0581',
  h: '\u04bb\u0570\u043d',
  j: '\u0458\u03f3',
  k: '\u043a\u03ba',
  l: 'i1|\u0131\u0456\u03b9\u04cf',
  m: '\u043c',
  n: '\u0578\u043f\u03b7',
  o: '0\u043e\u03bf\u0585\u03c3',
  p: '\u0440\u03c1',
  q: '\u051b\u0566',
  r: '\u0433',
  s: '\u0455',
  t: '\u0442\u03c4',
  u: '\u057d\u03c5',
  v: '\u0475\u03bd',
  w: '\u051d\u0448\u03c9',
  x: '\u0445\u03c7',
  y: '\u0443\u04af\u03b3',
};

const capital: Shapes = {
  A: '\u0410\u0391',
  B: '\u0412\u0392',
  C: '\u0421\u03f9',
  D: '\u0500',
  E: '\u0415\u0395',
  F: '\u03dc',
  G: '\u050c',
  H: '\u041d\u0397',
  I: '1|\u0406\u0399\u04c0',
  J: '\u0408\u037f',
  K: '\u041a\u039a',
  M: '\u041c\u039c',
  N: '\u039d',
  O: '0\u041e\u039f\u0555',
  P: '\u0420\u03a1',
  Q: '\u051a',
  S: '\u0405\u054f',
  T: '\u0422\u03a4',
  U: '\u054d',
  V: '\u0474',
  W: '\u051c',
  X: '\u0425\u03a7',
  Y: '\u0423\u04ae\u03a5',
  Z: '\u0396',
};

/** Pairs that are read as one letter. */
const pairs: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
];

export interface Skeleton {
  readonly small: string;
  readonly capital: string;
}

export function skeletonOf(name: string): Skeleton {
  const capitals = visible(name).toUpperCase();
  // By way of the capitals, as Unicode folds case: ß is SS.
  const letters = replaced(visible(capitals.toLowerCase()), smallLetters);
  return {
    small: pairs.reduce((text, [pair, letter]) => text.replaceAll(pair, letter), letters),
    capital: replaced(capitals, capitalLetters),
  };
}

/** `lookAlike` returns the first of the names that looks like `name`, if there is one. */
export function lookAlike(name: string, names: readonly string[]): string | undefined {
  const own = skeletonOf(name);
  return names.find((other) => {
    const { small: letters, capital: capitals } = skeletonOf(other);
    return letters === own.small || capitals === own.capital;
  });
}

const smallLetters = byCharacter(small);
const capitalLetters = byCharacter(capital);

function byCharacter(shapes: Shapes): ReadonlyMap<string, string> {
  return new Map(Object.entries(shapes).flatMap(([letter, alike]) => [...alike].map((one) => [one, letter] as const)));
}

function visible(text: string): string {
  return text.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
}

function replaced(text: string, letters: ReadonlyMap<string, string>): string {
  return Array.from(text, (one) => letters.get(one) ?? one).join('');
}
