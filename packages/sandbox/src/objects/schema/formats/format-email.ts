/** The addresses that Go's mail.ParseAddress accepts: `a@b`, `"a b"@c`, `Name <a@b>`, with comments in parentheses. */

const atomChars = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10ffff}]";
const dotAtom = `${atomChars}+(?:\\.${atomChars}+)*`;
const quoted = '"(?:[^"\\\\\\r\\n]|\\\\.)*"';
const literal = '\\[[^\\[\\]\\s]*\\]';
const space = '[ \\t]*';
const addrSpec = new RegExp(`^(?:${dotAtom}|${quoted})@(?:${dotAtom}|${literal})$`, 'u');
const phrase = new RegExp(`^(?:(?:${atomChars}|\\.)+|${quoted})(?:${space}(?:(?:${atomChars}|\\.)+|${quoted}))*$`, 'u');

export function isEmail(text: string): boolean {
  const bare = withoutComment(text.trim());
  if (bare === undefined) return false;
  if (addrSpec.test(bare)) return true;
  const angle = /^([^<]*)<([^>]*)>$/.exec(bare);
  if (angle === null) return false;
  const name = (angle[1] ?? '').trim();
  return (name === '' || phrase.test(name)) && addrSpec.test((angle[2] ?? '').trim());
}

function withoutComment(text: string): string | undefined {
  if (!text.endsWith(')')) return text;
  const open = text.indexOf('(');
  return open <= 0 ? undefined : text.slice(0, open).trimEnd();
}
