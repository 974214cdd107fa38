/** Kubernetes' libraries for IP addresses and networks. */
import {
  type Address,
  type CelAddressRange,
  formatAddress,
  isMapped,
  maskNetwork,
  networkHas,
  parseAddress,
  parseNetwork,
} from './address.ts';
import { type Overload, fail, global, member } from './functions.ts';
import { LibraryValue, NO_SUCH_OVERLOAD, type Value } from '../values.ts';

const IP_TYPE = 'net.IP';
const CIDR_TYPE = 'net.CIDR';

class IpValue extends LibraryValue {
  readonly typeName = IP_TYPE;
  readonly address: Address;

  constructor(address: Address) {
    super();
    this.address = address;
  }

  equals(other: Value): boolean {
    return other instanceof IpValue && sameAddress(this.address, other.address);
  }
}

class CidrValue extends LibraryValue {
  readonly typeName = CIDR_TYPE;
  readonly network: CelAddressRange;

  constructor(network: CelAddressRange) {
    super();
    this.network = network;
  }

  equals(other: Value): boolean {
    if (!(other instanceof CidrValue)) return false;
    return this.network.prefix === other.network.prefix && sameAddress(this.network.address, other.network.address);
  }
}

const sameAddress = (a: Address, b: Address): boolean => a.bits === b.bits && a.value === b.value;

/** Returns the address, or Kubernetes' error text. */
function readIp(text: string): Address | string {
  const address = parseAddress(text);
  const shown = JSON.stringify(text);
  if (typeof address === 'string') return `IP Address ${shown} parse error during conversion from string: ${address}`;
  if (address.zone !== '') return `IP address ${shown} with zone value is not allowed`;
  return isMapped(address) ? `IPv4-mapped IPv6 address ${shown} is not allowed` : address;
}

function readCidr(text: string): CelAddressRange | string {
  const network = parseNetwork(text);
  if (typeof network === 'string') return `network address parse error during conversion from string: ${network}`;
  if (isMapped(network.address)) return `IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`;
  return network;
}

function toIp(text: string): IpValue | ReturnType<typeof fail> {
  const address = readIp(text);
  return typeof address === 'string' ? fail(address) : new IpValue(address);
}

function toCidr(text: string): CidrValue | ReturnType<typeof fail> {
  const network = readCidr(text);
  // The real error text contains this twice.
  if (typeof network === 'string') return fail(`network address parse error during conversion from string: ${network}`);
  return new CidrValue(network);
}

const onIp = (value: Value, answer: (address: Address) => Value): Value =>
  value instanceof IpValue ? answer(value.address) : NO_SUCH_OVERLOAD;
const onCidr = (value: Value, answer: (network: CelAddressRange) => Value): Value =>
  value instanceof CidrValue ? answer(value.network) : NO_SUCH_OVERLOAD;

const top = ({ bits, value }: Address, count: number): bigint => value >> BigInt(bits - count);
const isUnspecified = (address: Address): boolean => address.value === 0n;
const isLoopback = (address: Address): boolean =>
  address.bits === 32 ? top(address, 8) === 127n : address.value === 1n;
const isMulticast = (address: Address): boolean =>
  address.bits === 32 ? top(address, 4) === 14n : top(address, 8) === 255n;
const isLinkLocalUnicast = (address: Address): boolean =>
  address.bits === 32 ? top(address, 16) === 0xa9fen : top(address, 10) === 0x3fan;
const isLinkLocalMulticast = (address: Address): boolean =>
  address.bits === 32 ? top(address, 24) === 0xe00000n : (top(address, 16) & 0xff0fn) === 0xff02n;
const isGlobalUnicast = (address: Address): boolean =>
  !isUnspecified(address) &&
  !isLoopback(address) &&
  !isMulticast(address) &&
  !isLinkLocalUnicast(address) &&
  !(address.bits === 32 && address.value === 0xffffffffn);

const TESTS: readonly (readonly [name: string, test: (address: Address) => boolean])[] = [
  ['isUnspecified', isUnspecified],
  ['isLoopback', isLoopback],
  ['isLinkLocalMulticast', isLinkLocalMulticast],
  ['isLinkLocalUnicast', isLinkLocalUnicast],
  ['isGlobalUnicast', isGlobalUnicast],
];

const containsIp = (cidr: Value, ip: Value): Value =>
  onCidr(cidr, (network) => onIp(ip, (address) => networkHas(network, address)));
const containsCidr = (cidr: Value, part: Value): Value =>
  onCidr(cidr, (network) =>
    onCidr(part, (inner) => network.prefix <= inner.prefix && networkHas(network, inner.address)),
  );

export const IP: readonly Overload[] = [
  global('ip', ['string'], IP_TYPE, toIp),
  global('isIP', ['string'], 'bool', (text) => typeof readIp(text) !== 'string'),
  global('ip.isCanonical', ['string'], 'bool', (text) => {
    const address = readIp(text);
    return typeof address === 'string' ? fail(address) : formatAddress(address) === text;
  }),
  global('string', [IP_TYPE], 'string', (ip) => onIp(ip, formatAddress)),
  member('family', [IP_TYPE], 'int', (ip) => onIp(ip, ({ bits }) => (bits === 32 ? 4n : 6n))),
  ...TESTS.map(([name, test]) => member(name, [IP_TYPE], 'bool', (ip) => onIp(ip, test))),
];

export const CIDR: readonly Overload[] = [
  global('cidr', ['string'], CIDR_TYPE, toCidr),
  global('isCIDR', ['string'], 'bool', (text) => typeof readCidr(text) !== 'string'),
  global('string', [CIDR_TYPE], 'string', (cidr) =>
    onCidr(cidr, ({ address, prefix }) => `${formatAddress(address)}/${prefix}`),
  ),
  member('containsIP', [CIDR_TYPE, 'string'], 'bool', (cidr, text) => {
    const ip = toIp(text);
    // The real server loses the error text here.
    return ip instanceof IpValue ? containsIp(cidr, ip) : NO_SUCH_OVERLOAD;
  }),
  member('containsIP', [CIDR_TYPE, IP_TYPE], 'bool', containsIp),
  member('containsCIDR', [CIDR_TYPE, 'string'], 'bool', (cidr, text) => {
    const part = toCidr(text);
    return part instanceof CidrValue ? containsCidr(cidr, part) : part;
  }),
  member('containsCIDR', [CIDR_TYPE, CIDR_TYPE], 'bool', containsCidr),
  member('ip', [CIDR_TYPE], IP_TYPE, (cidr) => onCidr(cidr, ({ address }) => new IpValue(address))),
  member('prefixLength', [CIDR_TYPE], 'int', (cidr) => onCidr(cidr, ({ prefix }) => BigInt(prefix))),
  member('masked', [CIDR_TYPE], CIDR_TYPE, (cidr) => onCidr(cidr, (network) => new CidrValue(maskNetwork(network)))),
];
