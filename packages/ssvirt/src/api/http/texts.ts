/**
 * The patterns of texts in requests, each with its rule in words, which error messages show instead of the pattern.
 * Without look-arounds, which not every reader of the OpenAPI document supports.
 */

interface Shape {
  readonly pattern: string;
  /** Follows the field and its value. */
  readonly rule: string;
}

/** A lone surrogate cannot be stored. */
const half = '\\ud800-\\udfff';
/** Not allowed in names. */
const controls = `\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\ufeff${half}`;
/** Invisible or direction-changing characters: with them two names could look alike. */
const unseen = `\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb${half}`;
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

export const shapes = {
  name: {
    pattern: `^[^\\s${controls}]([^${controls}]*[^\\s${controls}])?$`,
    rule: 'must have no control characters, and no leading or trailing space',
  },
  username: {
    pattern: `^[^\\s:${unseen}]+$`,
    rule: 'must have no spaces, no colons and no invisible characters',
  },
  email: {
    pattern: '^$|^[^\\s@\\u0000-\\u001f]+@[^\\s@\\u0000-\\u001f]+$',
    rule: 'must be an email address such as ada@example.org, or empty',
  },
  line: { pattern: `^[^\\u0000-\\u001f\\u007f${half}]*$`, rule: 'must be one line, without control characters' },
  prose: {
    pattern: `^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f${half}]*$`,
    rule: 'must have no control characters except tabs and line breaks',
  },
  /** One or several lines, for a guest or a person. */
  anything: { pattern: `^[^\\u0000${half}]*$`, rule: 'must have no NUL and no lone surrogates' },
  ascii: { pattern: '^[ -~]*$', rule: 'must consist of printable ASCII characters' },
  url: { pattern: '^[!-~]*$', rule: 'must consist of printable ASCII characters, without spaces' },
  parameterName: {
    pattern: '^[A-Za-z0-9_]{1,63}$',
    rule: 'must consist of 1 to 63 letters (A to Z, a to z), digits and _',
  },
  /** The name of a Kubernetes object: a DNS subdomain. */
  objectName: {
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    rule: 'must consist of lower-case letters, digits, "-" and ".", with a letter or a digit at both ends and next to each "."',
  },
  /** A DNS label. */
  label: {
    pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$',
    rule: 'must consist of lower-case letters, digits and "-", begin with a letter and end with a letter or a digit',
  },
  anyUrn: {
    pattern: `^(urn:vcloud:[a-zA-Z]+:)?${uuid}$`,
    rule: 'must be an id, such as urn:vcloud:vm:7d6a3c6e-6f0b-4b8e-9a0f-2f9d5a1c0b11',
  },
} as const satisfies Readonly<Record<string, Shape>>;

const rules = new Map<string, string>(Object.values(shapes).map(({ pattern, rule }) => [pattern, rule]));

/** `urnPattern` returns the URN of that kind, or the bare uuid, which some clients send. */
export function urnPattern(kind: string): string {
  return `^(urn:vcloud:${kind}:)?${uuid}$`;
}

const kindOfPattern = /^\^\(urn:vcloud:(\w+):\)/;

export function ruleOfPattern(pattern: string): string | undefined {
  const kind = kindOfPattern.exec(pattern)?.[1];
  return kind === undefined ? rules.get(pattern) : `must be urn:vcloud:${kind}:UUID, with a UUID in lower case`;
}
