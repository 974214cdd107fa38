/**
 * Addresses and host names that are not on the public internet. A server that connects to a URL of a user must not
 * reach them: there are the services of its own cluster and cloud.
 */
import { BlockList, isIP } from 'node:net';

export interface ReservedRange {
  readonly cidr: string;
  /** What the range is for, as the rest of the sentence `the address is …`. */
  readonly what: string;
}

/** Of the IANA registries of special-purpose addresses. */
const reservedV4: readonly ReservedRange[] = [
  { cidr: '0.0.0.0/8', what: 'unspecified' },
  { cidr: '10.0.0.0/8', what: 'private' },
  { cidr: '100.64.0.0/10', what: 'shared by the customers of a carrier' },
  { cidr: '127.0.0.0/8', what: 'a loopback address' },
  // Azure answers there as other clouds do at 169.254.169.254.
  { cidr: '168.63.129.16/32', what: 'a metadata service' },
  { cidr: '169.254.0.0/16', what: 'link-local, as metadata services are' },
  { cidr: '172.16.0.0/12', what: 'private' },
  { cidr: '192.0.0.0/24', what: 'reserved for protocols' },
  { cidr: '192.0.2.0/24', what: 'for documentation' },
  { cidr: '192.88.99.0/24', what: 'a 6to4 relay' },
  { cidr: '192.168.0.0/16', what: 'private' },
  { cidr: '198.18.0.0/15', what: 'for benchmarks' },
  { cidr: '198.51.100.0/24', what: 'for documentation' },
  { cidr: '203.0.113.0/24', what: 'for documentation' },
  { cidr: '224.0.0.0/4', what: 'multicast' },
  { cidr: '255.255.255.255/32', what: 'broadcast' },
  { cidr: '240.0.0.0/4', what: 'reserved' },
];

/** Everything outside of it is reserved. */
export const globalUnicastV6 = '2000::/3';

/** The ranges with a name of their own; those inside of `globalUnicastV6` are exceptions from it. */
const reservedV6: readonly (ReservedRange & { readonly isInGlobal?: true })[] = [
  { cidr: '::/128', what: 'unspecified' },
  { cidr: '::1/128', what: 'a loopback address' },
  { cidr: '::ffff:0:0/96', what: 'a mapped IPv4 address' },
  { cidr: '64:ff9b::/96', what: 'an IPv4 address behind NAT64' },
  { cidr: '64:ff9b:1::/48', what: 'an IPv4 address behind NAT64' },
  { cidr: '2001::/23', what: 'reserved for protocols', isInGlobal: true },
  { cidr: '2001:db8::/32', what: 'for documentation', isInGlobal: true },
  { cidr: '2002::/16', what: 'an IPv4 address behind 6to4', isInGlobal: true },
  { cidr: '3fff::/20', what: 'for documentation', isInGlobal: true },
  { cidr: 'fc00::/7', what: 'private (ULA)' },
  { cidr: 'fe80::/10', what: 'link-local' },
  { cidr: 'ff00::/8', what: 'multicast' },
];

/** `publicNetworks` are the reserved ranges as exceptions from all addresses, for a NetworkPolicy. */
export const publicNetworks: readonly { readonly cidr: string; readonly except: readonly string[] }[] = [
  { cidr: '0.0.0.0/0', except: reservedV4.map(({ cidr }) => cidr).filter((cidr) => cidr !== '255.255.255.255/32') },
  { cidr: globalUnicastV6, except: reservedV6.filter(({ isInGlobal }) => isInGlobal).map(({ cidr }) => cidr) },
];

const listed = [...reservedV4, ...reservedV6].map((range) => ({ range, block: blockOf([range.cidr]) }));
const globalV6 = blockOf([globalUnicastV6]);

/** `reservedRange` returns the range of an IP address that is not public; undefined for a public one. */
export function reservedRange(address: string): ReservedRange | undefined {
  const found = listed.find(({ block, range }) => sameFamily(address, range.cidr) && contains(block, address));
  if (found !== undefined) return found.range;
  if (isIP(address) === 4 || contains(globalV6, address)) return undefined;
  return { cidr: 'outside of 2000::/3', what: 'not a public address' };
}

/** `embeddedV4` returns the IPv4 address that an IPv6 address leads to: mapped, behind NAT64 or 6to4. */
export function embeddedV4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const groups = groupsOf(address);
  const [first = 0, second = 0, third = 0] = groups;
  const dotted = (high = 0, low = 0): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  if (first === 0x2002) return dotted(second, third);
  const isNat64 = first === 0x64 && second === 0xff9b;
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isNat64 || isMapped ? dotted(groups[6], groups[7]) : undefined;
}

/** `blockOf` returns a list that contains the addresses of the networks, which must be valid CIDRs. */
export function blockOf(cidrs: readonly string[]): BlockList {
  const block = new BlockList();
  for (const cidr of cidrs) {
    const [network = '', prefix = ''] = cidr.split('/');
    block.addSubnet(network, Number(prefix), family(network));
  }
  return block;
}

export function contains(block: BlockList, address: string): boolean {
  return block.check(address, family(address));
}

const insideNames = /(?:^|\.)(?:localhost|localdomain|local|internal|svc|pod)$|^(?:[^.]+\.){2}(?:svc|pod)\./;

/**
 * `reservedName` returns why a host name is not public, as the rest of the sentence `the host is …`. `name` is in lower
 * case, without a dot at its end.
 */
export function reservedName(name: string): string | undefined {
  // It is looked up in the namespace of the importer first.
  if (!name.includes('.')) return 'a name without a domain';
  return insideNames.test(name) ? 'a name inside of a cluster, a cloud or a machine' : undefined;
}

function family(address: string): 'ipv4' | 'ipv6' {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

/** BlockList takes a mapped address for its IPv4 address. */
function sameFamily(address: string, cidr: string): boolean {
  return family(address) === family(cidr);
}

function groupsOf(address: string): readonly number[] {
  const [head = '', tail] =
    address
      .split('%')[0]
      ?.replace(/\d+\.\d+\.\d+\.\d+$/, hexOf)
      .split('::') ?? [];
  const parse = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((hex) => parseInt(hex, 16));
  const before = parse(head);
  if (tail === undefined) return before;
  const after = parse(tail);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
}

function hexOf(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
