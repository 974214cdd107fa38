/** Kubernetes' library for semantic versions. */
import { type Overload, fail, global, member } from './functions.ts';
import { LibraryValue, NO_SUCH_OVERLOAD, type Value } from '../values.ts';

const TYPE = 'kubernetes.Semver';

interface Version {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  readonly pre: readonly (bigint | string)[];
}

class SemverValue extends LibraryValue {
  readonly typeName = TYPE;
  readonly version: Version;

  constructor(version: Version) {
    super();
    this.version = version;
  }

  equals(other: Value): boolean {
    return other instanceof SemverValue && compareVersions(this.version, other.version) === 0n;
  }
}

const DIGITS = /^[0-9]+$/;
const WORD = /^[0-9A-Za-z-]+$/;
const hasLeadingZero = (text: string): boolean => text.length > 1 && text.startsWith('0');

/** Returns the version, or the error text. */
function parse(text: string): Version | string {
  if (text === '') return 'Version string empty';
  const [major, minor, ...rest] = text.split('.');
  if (major === undefined || minor === undefined || rest.length === 0) return 'No Major.Minor.Patch elements found';
  const tail = rest.join('.');
  const plus = tail.indexOf('+');
  const build = plus === -1 ? [] : tail.slice(plus + 1).split('.');
  const withoutBuild = plus === -1 ? tail : tail.slice(0, plus);
  const dash = withoutBuild.indexOf('-');
  const pre = dash === -1 ? [] : withoutBuild.slice(dash + 1).split('.');
  const patch = dash === -1 ? withoutBuild : withoutBuild.slice(0, dash);
  const wrong =
    badNumber('major', 'Major', major) ??
    badNumber('minor', 'Minor', minor) ??
    badNumber('patch', 'Patch', patch) ??
    first(pre, badPre) ??
    first(build, badBuild);
  if (wrong !== undefined) return wrong;
  return {
    numbers: [BigInt(major), BigInt(minor), BigInt(patch)],
    pre: pre.map((part) => (DIGITS.test(part) ? BigInt(part) : part)),
  };
}

function first(parts: readonly string[], check: (part: string) => string | undefined): string | undefined {
  for (const part of parts) {
    const wrong = check(part);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

function badNumber(name: string, title: string, text: string): string | undefined {
  const shown = JSON.stringify(text);
  if (text === '') return 'strconv.ParseUint: parsing "": invalid syntax';
  if (!DIGITS.test(text)) return `Invalid character(s) found in ${name} number ${shown}`;
  if (hasLeadingZero(text)) return `${title} number must not contain leading zeroes ${shown}`;
  return BigInt(text) < 2n ** 64n ? undefined : `strconv.ParseUint: parsing ${shown}: value out of range`;
}

function badPre(text: string): string | undefined {
  if (text === '') return 'Prerelease is empty';
  if (!WORD.test(text)) return `Invalid character(s) found in prerelease ${JSON.stringify(text)}`;
  if (!DIGITS.test(text) || !hasLeadingZero(text)) return undefined;
  return `Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(text)}`;
}

function badBuild(text: string): string | undefined {
  if (text === '') return 'Build meta data is empty';
  return WORD.test(text) ? undefined : `Invalid character(s) found in build meta data ${JSON.stringify(text)}`;
}

/** `v1.02` means 1.2.0: removes the v and leading zeros, and adds missing parts. */
function parseLoosely(text: string): Version | string {
  const [major = '', minor, ...rest] = text.replace(/^v/, '').split('.');
  const parts = [major, ...(minor === undefined ? [] : [minor]), ...(rest.length === 0 ? [] : [rest.join('.')])];
  const trimmed = parts.map((part) => {
    if (part.length < 2) return part;
    const bare = part.replace(/^0+/, '');
    return /^[0-9]/.test(bare) ? bare : `0${bare}`;
  });
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? '')) {
    return 'short version cannot contain PreRelease/Build meta data';
  }
  return parse([...trimmed, '0', '0'].slice(0, 3).join('.'));
}

function compareVersions(a: Version, b: Version): bigint {
  for (let i = 0; i < 3; i++) {
    const order = compareParts(a.numbers[i] ?? 0n, b.numbers[i] ?? 0n);
    if (order !== 0n) return order;
  }
  // A version is greater than its own pre-releases.
  if (a.pre.length === 0 || b.pre.length === 0) return compareParts(BigInt(b.pre.length), BigInt(a.pre.length));
  for (let i = 0; i < Math.min(a.pre.length, b.pre.length); i++) {
    const order = compareParts(a.pre[i] ?? '', b.pre[i] ?? '');
    if (order !== 0n) return order;
  }
  return compareParts(BigInt(a.pre.length), BigInt(b.pre.length));
}

function compareParts(a: bigint | string, b: bigint | string): bigint {
  // Numbers are less than words.
  if (typeof a !== typeof b) return typeof a === 'bigint' ? -1n : 1n;
  return a === b ? 0n : a < b ? -1n : 1n;
}

const on = (value: LibraryValue, answer: (version: Version) => Value): Value =>
  value instanceof SemverValue ? answer(value.version) : NO_SUCH_OVERLOAD;
const onBoth = (a: LibraryValue, b: LibraryValue, answer: (order: bigint) => Value): Value =>
  on(a, (left) => on(b, (right) => answer(compareVersions(left, right))));
const toValue = (parsed: Version | string): Value =>
  typeof parsed === 'string' ? fail(parsed) : new SemverValue(parsed);

export const SEMVER: readonly Overload[] = [
  global('semver', ['string'], TYPE, (text) => toValue(parse(text))),
  global('semver', ['string', 'bool'], TYPE, (text, loose) => toValue(loose ? parseLoosely(text) : parse(text))),
  global('isSemver', ['string'], 'bool', (text) => typeof parse(text) !== 'string'),
  global(
    'isSemver',
    ['string', 'bool'],
    'bool',
    (text, loose) => typeof (loose ? parseLoosely(text) : parse(text)) !== 'string',
  ),
  member('isGreaterThan', [TYPE, TYPE], 'bool', (a, b) => onBoth(a, b, (order) => order > 0n)),
  member('isLessThan', [TYPE, TYPE], 'bool', (a, b) => onBoth(a, b, (order) => order < 0n)),
  member('compareTo', [TYPE, TYPE], 'int', (a, b) => onBoth(a, b, (order) => order)),
  member('major', [TYPE], 'int', (a) => on(a, ({ numbers }) => numbers[0])),
  member('minor', [TYPE], 'int', (a) => on(a, ({ numbers }) => numbers[1])),
  member('patch', [TYPE], 'int', (a) => on(a, ({ numbers }) => numbers[2])),
];
