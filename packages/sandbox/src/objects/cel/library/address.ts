/** IP addresses and networks as Go's net/netip parses and prints them, with its error texts. */

export interface Address {
  readonly bits: 32 | 128;
  readonly value: bigint;
  readonly zone: string;
}

export interface CelAddressRange {
  readonly address: Address;
  readonly prefix: number;
}

/** `parseAddress` returns the address, or the error text. */
export function parseAddress(text: string): Address | string {
  const first = /[.:%]/.exec(text)?.[0];
  const parsed = first === '.' ? parseV4(text) : first === ':' ? parseV6(text) : wrong(first === '%');
  if ('value' in parsed) return parsed;
  const at = parsed.at === '' ? '' : ` (at ${JSON.stringify(parsed.at)})`;
  return `ParseAddr(${JSON.stringify(text)}): ${parsed.message}${at}`;
}

interface Wrong {
  readonly message: string;
  readonly at: string;
}

const error = (message: string, at: string = ''): Wrong => ({ message, at });
const wrong = (zoneOnly: boolean): Wrong => error(zoneOnly ? 'missing IPv6 address' : 'unable to parse IP');

function parseV4(text: string): Address | Wrong {
  const fields: number[] = [];
  let digits = '';
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? '';
    if (/[0-9]/.test(character)) {
      if (digits === '0') return error('IPv4 field has octet with leading zero');
      digits += character;
      if (Number(digits) > 255) return error('IPv4 field has value >255');
    } else if (character === '.') {
      if (digits === '' || i === text.length - 1)
        return error('IPv4 field must have at least one digit', text.slice(i));
      if (fields.length === 3) return error('IPv4 address too long');
      fields.push(Number(digits));
      digits = '';
    } else return error('unexpected character', text.slice(i));
  }
  if (fields.length < 3) return error('IPv4 address too short');
  const value = [...fields, Number(digits)].reduce((sum, field) => (sum << 8n) | BigInt(field), 0n);
  return { bits: 32, value, zone: '' };
}

function parseV6(text: string): Address | Wrong {
  const percent = text.indexOf('%');
  const zone = percent === -1 ? '' : text.slice(percent + 1);
  if (percent !== -1 && zone === '') return error('zone must be a non-empty string');
  const groups = readGroups(percent === -1 ? text : text.slice(0, percent));
  if (!Array.isArray(groups)) return groups;
  const value = groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n);
  return { bits: 128, value, zone };
}

/** The eight groups of an address, with `::` expanded. */
function readGroups(text: string): number[] | Wrong {
  const groups: number[] = [];
  let ellipsis = -1;
  let rest = text;
  if (rest.startsWith('::')) {
    ellipsis = 0;
    rest = rest.slice(2);
  }
  while (groups.length < 8 && rest !== '') {
    const digits = /^[0-9a-fA-F]*/.exec(rest)?.[0] ?? '';
    if (digits.length > 4) return error('each group must have 4 or less digits', rest);
    if (digits === '') return error('each colon-separated field must have at least one digit', rest);
    if (rest[digits.length] === '.') {
      if (ellipsis < 0 && groups.length !== 6) {
        return error('embedded IPv4 address must replace the final 2 fields of the address', rest);
      }
      if (groups.length > 6) {
        return error('too many hex fields to fit an embedded IPv4 at the end of the address', rest);
      }
      const embedded = parseV4(rest);
      if (!('value' in embedded)) return embedded;
      groups.push(Number(embedded.value >> 16n), Number(embedded.value & 0xffffn));
      rest = '';
      break;
    }
    groups.push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return error('unexpected character, want colon', rest);
    if (rest.length === 1) return error('colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest.startsWith(':')) {
      if (ellipsis >= 0) return error('multiple :: in address', rest);
      ellipsis = groups.length;
      rest = rest.slice(1);
    }
  }
  if (rest !== '') return error('trailing garbage after address', rest);
  if (groups.length < 8 && ellipsis < 0) return error('address string too short');
  if (groups.length === 8 && ellipsis >= 0) return error('the :: must expand to at least one field of zeros');
  const zeros = Array.from({ length: 8 - groups.length }, () => 0);
  return ellipsis < 0 ? groups : [...groups.slice(0, ellipsis), ...zeros, ...groups.slice(ellipsis)];
}

/** `isMapped` is an IPv4 address inside an IPv6 one: `::ffff:1.2.3.4`. */
export const isMapped = ({ bits, value }: Address): boolean => bits === 128 && value >> 32n === 0xffffn;

export function formatAddress(address: Address): string {
  if (address.bits === 32) return octets(address.value);
  const zone = address.zone === '' ? '' : `%${address.zone}`;
  if (isMapped(address)) return `::ffff:${octets(address.value & 0xffffffffn)}${zone}`;
  const groups = Array.from({ length: 8 }, (_, i) => ((address.value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
  const run = longestZeros(groups);
  if (run === undefined) return groups.join(':') + zone;
  return `${groups.slice(0, run.start).join(':')}::${groups.slice(run.end).join(':')}${zone}`;
}

const octets = (value: bigint): string => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');

/** The first of the longest runs of at least two zero groups. */
function longestZeros(groups: readonly string[]): { start: number; end: number } | undefined {
  let best: { start: number; end: number } | undefined;
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === '0') end++;
    if (end - start > (best === undefined ? 1 : best.end - best.start)) best = { start, end };
    if (end > start) start = end;
  }
  return best;
}

/** `parseNetwork` returns the network, or the error text. */
export function parseNetwork(text: string): CelAddressRange | string {
  const wrongPrefix = (why: string): string => `netip.ParsePrefix(${JSON.stringify(text)}): ${why}`;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return wrongPrefix("no '/'");
  const address = parseAddress(text.slice(0, slash));
  if (typeof address === 'string') return wrongPrefix(address);
  if (address.zone !== '') return wrongPrefix('IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9][0-9]*)$/.test(bits)) return wrongPrefix(`bad bits after slash: ${JSON.stringify(bits)}`);
  if (Number(bits) > address.bits) return wrongPrefix('prefix length out of range');
  return { address, prefix: Number(bits) };
}

const above = ({ bits, value }: Address, prefix: number): bigint => value >> BigInt(bits - prefix);

export const networkHas = ({ address, prefix }: CelAddressRange, other: Address): boolean =>
  address.bits === other.bits && above(address, prefix) === above(other, prefix);

export function maskNetwork({ address, prefix }: CelAddressRange): CelAddressRange {
  const rest = BigInt(address.bits - prefix);
  return { address: { ...address, value: (address.value >> rest) << rest }, prefix };
}
