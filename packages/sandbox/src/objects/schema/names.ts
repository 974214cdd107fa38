/**
 * Kubernetes' rules for names, label keys and label values, with its texts. An empty list means that the name is valid.
 */

export type NameRule = (name: string, prefix: boolean) => readonly string[];

const good: readonly string[] = Object.freeze([]);

const label1123 = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain1123 = `${label1123}(\\.${label1123})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const labelKey = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const labelValue = `(${labelKey})?`;
const configMapKey = '[-._a-zA-Z0-9]+';

const whole = (pattern: string): RegExp => new RegExp(`^${pattern}$`);
const label1123Regexp = whole(label1123);
const subdomain1123Regexp = whole(subdomain1123);
const label1035Regexp = whole(label1035);
const labelKeyRegexp = whole(labelKey);
const labelValueRegexp = whole(labelValue);
const configMapKeyRegexp = whole(configMapKey);

/** `regexError` returns the odd comma before `or` is Kubernetes' own. */
export function regexError(message: string, pattern: string, ...examples: string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ');
  return examples.length === 0
    ? `${message} (regex used for validation is '${pattern}')`
    : `${message} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

const tooLong = (value: string, max: number): boolean => value.length > max || Buffer.byteLength(value) > max;
const maxCharacters = (max: number): string => `must be no more than ${max} characters`;
const maxBytes = (max: number): string => `must be no more than ${max} bytes`;
export const inclusiveRangeError = (low: number, high: number): string =>
  `must be between ${low} and ${high}, inclusive`;

const label1123Error = regexError(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
  label1123,
  'my-name',
  '123-abc',
);
const subdomain1123Error = regexError(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
  subdomain1123,
  'example.com',
);
const label1035Error = regexError(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
  label1035,
  'my-name',
  'abc-123',
);
const labelKeyError = regexError(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelKey,
  'MyName',
  'my.name',
  '123-abc',
);
const labelValueError = regexError(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  labelValue,
  'MyValue',
  'my_value',
  '12345',
);
const configMapKeyError = regexError(
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
  configMapKey,
  'key.name',
  'KEY_NAME',
  'key-name',
);

export function isDNS1123Label(value: string): readonly string[] {
  const fits = !tooLong(value, 63);
  if (fits && label1123Regexp.test(value)) return good;
  const errors = fits ? [] : [maxCharacters(63)];
  if (label1123Regexp.test(value)) return errors;
  // A valid subdomain that is not a valid label can only contain dots.
  return [...errors, subdomain1123Regexp.test(value) ? 'must not contain dots' : label1123Error];
}

export function isDNS1123Subdomain(value: string): readonly string[] {
  return lengthAndPattern(value, 253, maxCharacters, subdomain1123Regexp, subdomain1123Error);
}

export function isDNS1035Label(value: string): readonly string[] {
  return lengthAndPattern(value, 63, maxCharacters, label1035Regexp, label1035Error);
}

export function isValidLabelValue(value: string): readonly string[] {
  return lengthAndPattern(value, 63, maxBytes, labelValueRegexp, labelValueError);
}

export function isConfigMapKey(value: string): readonly string[] {
  const errors = lengthAndPattern(value, 253, maxCharacters, configMapKeyRegexp, configMapKeyError);
  return [...errors, ...dotsPrefix(value)];
}

/** Label keys, annotation keys and finalizers: a name with an optional DNS prefix. */
export function isQualifiedName(value: string): readonly string[] {
  const slash = value.indexOf('/');
  if (slash === -1) return qualifiedNamePart(value);
  if (value.includes('/', slash + 1)) {
    return [
      `a valid label key ${labelKeyError} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const prefix = qualifiedPrefixPart(value.slice(0, slash));
  const name = qualifiedNamePart(value.slice(slash + 1));
  return prefix.length === 0 ? name : [...prefix, ...name];
}

function qualifiedPrefixPart(prefix: string): readonly string[] {
  if (prefix === '') return ['prefix part must be non-empty'];
  const errors = lengthAndPattern(prefix, 253, maxBytes, subdomain1123Regexp, subdomain1123Error);
  return errors.length === 0 ? good : errors.map((error) => `prefix part ${error}`);
}

function qualifiedNamePart(name: string): readonly string[] {
  const long = tooLong(name, 63);
  if (!long && labelKeyRegexp.test(name)) return good;
  const errors: string[] = [];
  if (name === '') errors.push('name part must be non-empty');
  else if (long) errors.push(`name part ${maxBytes(63)}`);
  if (!labelKeyRegexp.test(name)) errors.push(`name part ${labelKeyError}`);
  return errors;
}

/** Names that only have to fit in a URL path, such as those of roles. */
export function isPathSegmentName(name: string): readonly string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return isPathSegmentPrefix(name);
}

function isPathSegmentPrefix(name: string): readonly string[] {
  const bad = ['/', '%'].filter((char) => name.includes(char));
  return bad.length === 0 ? good : bad.map((char) => `may not contain '${char}'`);
}

export function isValidPortNum(port: number): readonly string[] {
  return port >= 1 && port <= 65535 ? good : [inclusiveRangeError(1, 65535)];
}

export function isValidPortName(port: string): readonly string[] {
  const errors: string[] = [];
  if (tooLong(port, 15)) errors.push(maxCharacters(15));
  if (!/^[-a-z0-9]+$/.test(port)) {
    errors.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(port)) errors.push('must contain at least one letter (a-z)');
  if (port.includes('--')) errors.push('must not contain consecutive hyphens');
  if (port.startsWith('-') || port.endsWith('-')) errors.push('must not begin or end with a hyphen');
  return errors;
}

/** `nameIsDNSSubdomain` is a rule for `metadata.name`; a generateName may end with a dash, because characters are appended. */
export const nameIsDNSSubdomain: NameRule = (name, prefix) =>
  isDNS1123Subdomain(prefix ? maskTrailingDash(name) : name);
export const nameIsDNSLabel: NameRule = (name, prefix) => isDNS1123Label(prefix ? maskTrailingDash(name) : name);
export const nameIsDNS1035Label: NameRule = (name, prefix) => isDNS1035Label(prefix ? maskTrailingDash(name) : name);
export const nameIsPathSegment: NameRule = (name, prefix) =>
  prefix ? isPathSegmentPrefix(name) : isPathSegmentName(name);

/**
 * Kubernetes removes one character too many here (`a.-` becomes `aa`). The result must be the same, so this does too.
 */
function maskTrailingDash(name: string): string {
  return name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}

function lengthAndPattern(
  value: string,
  max: number,
  lengthError: (max: number) => string,
  pattern: RegExp,
  patternError: string,
): readonly string[] {
  const long = tooLong(value, max);
  const matches = pattern.test(value);
  if (!long && matches) return good;
  return [...(long ? [lengthError(max)] : []), ...(matches ? [] : [patternError])];
}

function dotsPrefix(value: string): readonly string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`];
  return value.startsWith('..') ? ["must not start with '..'"] : good;
}
