/** Property names in CEL: `foo-bar` becomes `foo__dash__bar`, and the keyword `namespace` becomes `__namespace__`. */

const KEYWORDS: ReadonlySet<string> = new Set([
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]);

const UNESCAPES: ReadonlyMap<string, string> = new Map([...ESCAPES].map(([plain, escaped]) => [escaped, plain]));

/** The name for use in an expression; undefined when it cannot be expressed, such as `a b` or `1a`. */
export function escapeName(name: string): string | undefined {
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined;
  if (KEYWORDS.has(name)) return `__${name}__`;
  return name.replace(/__|[-./]/g, (special) => ESCAPES.get(special) ?? special);
}

/** The property for a name in an expression; undefined when its escapes are invalid. */
export function unescapeName(name: string): string | undefined {
  if (!name.includes('__')) return name;
  let valid = true;
  const plain = name.replace(/__[^_]+__/g, (escape) => {
    const special = UNESCAPES.get(escape);
    if (special !== undefined) return special;
    const word = escape.slice(2, -2);
    if (!KEYWORDS.has(word) || escape.length !== name.length) valid = false;
    return word;
  });
  return valid ? plain : undefined;
}
