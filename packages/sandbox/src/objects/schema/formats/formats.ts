/** The string formats that kube-apiserver checks. Any other format is ignored, as in kube-apiserver. */
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { isEmail } from './format-email.ts';
import { isRequestUri } from './format-uri.ts';

type Check = (text: string) => boolean;

const matches =
  (pattern: RegExp): Check =>
  (text) =>
    pattern.test(text);

const hostname =
  /^(?:[a-zA-Z0-9\p{S}\p{L}](?:(?:-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|(?:[a-zA-Z0-9\p{S}\p{L}](?:(?:[a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)\.)+[a-zA-Z\p{L}]{2,63})$/u;
const creditCard =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\d{3})\d{11})$/;
const rgb = '(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])';
const shortName = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';

const checks: { readonly [name: string]: Check } = {
  bsonobjectid: matches(/^[0-9a-fA-F]{24}$/),
  uri: isRequestUri,
  email: isEmail,
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && isSloppyIp(text),
  ipv6: (text) => text.includes(':') && isIPv6(text) && !text.includes('%'),
  cidr: isCidr,
  mac: isMac,
  uuid: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid3: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i),
  uuid4: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  uuid5: matches(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: matches(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/),
  rgbcolor: matches(new RegExp(`^rgb\\(\\s*${rgb}\\s*,\\s*${rgb}\\s*,\\s*${rgb}\\s*\\)$`)),
  byte: matches(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/),
  password: () => true,
  date: isDate,
  duration: isDuration,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && new RegExp(`^${shortName}$`).test(text),
  k8slongname: (text) => text.length <= 253 && new RegExp(`^${shortName}(\\.${shortName})*$`).test(text),
};

/** `stringFormat` returns the check of a format; dashes in the name are ignored. */
export function stringFormat(name: string): Check | undefined {
  const key = name.replaceAll('-', '');
  return Object.hasOwn(checks, key) ? checks[key] : undefined;
}

/** `effectiveFormat` returns the format if it applies to the type, otherwise empty: `int32` on a string, for example, is ignored. */
export function effectiveFormat(type: string, format: string): string | undefined {
  switch (type) {
    case '':
    case 'string':
      return stringFormat(format) === undefined ? undefined : format;
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : undefined;
    case 'number':
      return format === 'float' || format === 'double' ? format : undefined;
    default:
      return undefined;
  }
}

function isHostname(text: string): boolean {
  return (
    hostname.test(text) &&
    Buffer.byteLength(text) <= 255 &&
    text.split('.').every((part) => Buffer.byteLength(part) <= 63)
  );
}

/** Kubernetes still accepts leading zeros in IPv4 addresses. */
const withoutLeadingZeros = (text: string): string => text.replace(/(^|[.:])0+(?=\d{1,3}(?:\.|$))/g, '$1');

function isSloppyIp(text: string): boolean {
  return !text.includes('%') && (isIP(text) !== 0 || isIP(withoutLeadingZeros(text)) !== 0);
}

function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash === -1) return false;
  const address = text.slice(0, slash);
  const bits = text.slice(slash + 1);
  if (!isSloppyIp(address) || !/^\d{1,3}$/.test(bits)) return false;
  return Number(bits) <= (isIPv4(withoutLeadingZeros(address)) ? 32 : 128);
}

function isMac(text: string): boolean {
  const bytes = text.includes('.')
    ? /^[0-9a-f]{4}(\.[0-9a-f]{4})+$/i.test(text) && text.split('.').length * 2
    : /^[0-9a-f]{2}(?:(:|-)[0-9a-f]{2}(?:\1[0-9a-f]{2})*)$/i.test(text) && text.split(/[:-]/).length;
  return bytes === 6 || bytes === 8 || bytes === 20;
}

const digitsOf = (text: string): string => text.replace(/[\s-]+/g, '');

function isIsbn10(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^(?:[0-9]{9}X|[0-9]{10})$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, i) => total + (i + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = digitsOf(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < 12; i += 1) sum += (i % 2 === 0 ? 1 : 3) * Number(digits[i]);
  return Number(digits[12]) === (10 - (sum % 10)) % 10;
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!creditCard.test(digits)) return false;
  const sum = [...digits].toReversed().reduce((total, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 ? (leap ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return day <= days;
}

function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t');
  if (text.length < 4 || date === undefined || time === undefined || !isDate(date)) return false;
  const match = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$/.exec(time);
  return match !== null && Number(match[1]) <= 23 && Number(match[2]) <= 59 && Number(match[3]) <= 59;
}

const goDuration = /^[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const exactUnits: ReadonlySet<string> = new Set(
  'ns nano us µs micro ms milli s sec m min h hr hour d day w wk week'.split(' '),
);
const unitPrefixes = ['nano', 'micro', 'milli', 'sec', 'min', 'hour', 'day', 'week'];

/** Go's own form (`1h30m`), or any text that contains numbers with units (`3 days`). */
function isDuration(text: string): boolean {
  if (goDuration.test(text)) return true;
  for (const match of text.matchAll(/\d+\s*([A-Za-zµ]+)/g)) {
    const unit = (match[1] ?? '').toLowerCase();
    if (exactUnits.has(unit) || unitPrefixes.some((prefix) => unit.startsWith(prefix))) return true;
  }
  return false;
}
