/** The shapes of the texts that requests carry, each with its rule in words: whoever is refused reads these, and not a pattern. Without look-arounds, which not every reader of the document understands. */

interface Shape {
  readonly pattern: string;
  /** Goes on after the field and its value. */
  readonly rule: string;
}

/** Half a character (a lone surrogate) can be stored nowhere. */
const half = '\\ud800-\\udfff';
/** What no name has. */
const controls = `\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff${half}`;
/** What nobody sees, or what turns the text around: two names could look the same, and one like another's. */
const unseen = `\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb${half}`;
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

export const shapes = {
  name: {
    pattern: `^[^\\s${controls}]([^${controls}]*[^\\s${controls}])?$`,
    rule: 'must have no control characters, and no space at either end',
  },
  username: {
    pattern: `^[^\\s:${unseen}]+$`,
    rule: 'must have no spaces, no colons and no characters that are not seen',
  },
  email: {
    pattern: '^$|^[^\\s@\\u0000-\\u001f]+@[^\\s@\\u0000-\\u001f]+$',
    rule: 'must be an address such as ada@example.org, or empty',
  },
  line: { pattern: `^[^\\u0000-\\u001f\\u007f${half}]*$`, rule: 'must be one line, without control characters' },
  prose: {
    pattern: `^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f${half}]*$`,
    rule: 'must have no control characters but tabs and ends of lines',
  },
  /** Of one or several lines, for whoever reads it: a guest, or a person. */
  anything: { pattern: `^[^\\u0000${half}]*$`, rule: 'must have no NUL, and no half characters (lone surrogates)' },
  ascii: { pattern: '^[ -~]*$', rule: 'must be of printable ASCII characters' },
  url: { pattern: '^[!-~]*$', rule: 'must be of printable ASCII characters, without spaces' },
  parameterName: { pattern: '^[A-Za-z0-9_]{1,63}$', rule: 'must be of 1 to 63 letters (A to Z, a to z), digits and _' },
  /** Of a Kubernetes object: a DNS subdomain. */
  objectName: {
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    rule: 'must be of lower-case letters, digits, "-" and ".", with a letter or a digit at both ends and beside each "."',
  },
  /** A DNS label. */
  label: {
    pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
    rule: 'must be of lower-case letters, digits and "-", begin with a letter and end with a letter or a digit',
  },
  anyUrn: {
    pattern: `^(urn:vcloud:[a-zA-Z]+:)?${uuid}$`,
    rule: 'must be an id, such as urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11',
  },
} as const satisfies Readonly<Record<string, Shape>>;

const rules = new Map<string, string>(Object.values(shapes).map(({ pattern, rule }) => [pattern, rule]));

/** The URN of that kind, or the bare uuid, which some clients send. */
export function urnPattern(kind: string): string {
  return `^(urn:vcloud:${kind}:)?${uuid}$`;
}

const kindOfPattern = /^\^\(urn:vcloud:(\w+):\)/;

export function ruleOfPattern(pattern: string): string | undefined {
  const kind = kindOfPattern.exec(pattern)?.[1];
  return kind === undefined ? rules.get(pattern) : `must be urn:vcloud:${kind}:UUID, with a UUID in lower case`;
}
