/** IP addresses and ranges as Kubernetes validates them in fields. */
import { BlockList, isIP } from 'node:net';
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';

export const isIPv6 = (text: string): boolean => isIP(text) === 6;

export function validIP(text: string, field: string): FieldError[] {
  if (/^\d+(\.\d+){3}$/.test(text) && /(^|\.)0\d/.test(text))
    return [fieldError.invalid(field, text, 'must not have leading 0s')];
  return isIP(text) === 0
    ? [fieldError.invalid(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
    : [];
}

const CIDR = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

export function isCIDR(text: string): boolean {
  const [address = '', bits = '', ...more] = text.split('/');
  const version = isIP(address);
  return (
    more.length === 0 && version !== 0 && /^(0|[1-9]\d*)$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
  );
}

export const validCIDR = (text: string, field: string): FieldError[] =>
  isCIDR(text) ? [] : [fieldError.invalid(field, text, CIDR)];

interface Range {
  readonly list: BlockList;
  readonly why: (address: string) => string;
}

function range(v4: string, v6: string, why: (address: string) => string): Range {
  const list = new BlockList();
  const [a = '', abits] = v4.split('/');
  const [b = '', bbits] = v6.split('/');
  list.addSubnet(a, Number(abits), 'ipv4');
  list.addSubnet(b, Number(bbits), 'ipv6');
  return { list, why };
}

/** Addresses that are not allowed for endpoints. */
const SPECIAL: readonly Range[] = [
  range('0.0.0.0/32', '::/128', (address) => `may not be unspecified (${address})`),
  range('127.0.0.0/8', '::1/128', () => 'may not be in the loopback range (127.0.0.0/8, ::1/128)'),
  range('169.254.0.0/16', 'fe80::/10', () => 'may not be in the link-local range (169.254.0.0/16, fe80::/10)'),
  range('224.0.0.0/24', 'ff02::/16', () => 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)'),
];

export function endpointIP(text: string, field: string): FieldError[] {
  const version = isIP(text);
  if (version === 0) return [fieldError.invalid(field, text, 'must be a valid IP address')];
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return SPECIAL.filter(({ list }) => list.check(text, family)).map(({ why }) =>
    fieldError.invalid(field, text, why(text)),
  );
}
