/** The addresses at which a VM may be reached. */
import { fields, list, text, type Fields } from './reading.ts';

/** The guest agent reports some of them, so a guest could report any number. */
const MOST_ADDRESSES = 32;

/**
 * Returns each address once, in the order of the interfaces (the one on the pod network is first). Loopback and
 * link-local addresses are left out: they are useless outside the guest. Interfaces that only the guest knows (they
 * have no name: docker0, but also a bond) count only if no other interface has an address: 172.17.0.1 is meaningless,
 * but a VM with a bond should not appear to have no address.
 */
export function addressesOf(interfaces: unknown): readonly string[] {
  const all = list(interfaces).map(fields);
  const attached = addressesIn(all.filter((one) => text(one['name']) !== undefined));
  return attached.length > 0 ? attached : addressesIn(all);
}

function addressesIn(interfaces: readonly Fields[]): readonly string[] {
  const addresses = interfaces.flatMap(({ ipAddress, ipAddresses }) => [ipAddress, ...list(ipAddresses)]);
  const useful = addresses.map(bare).filter((address) => address !== undefined && isUseful(address));
  return [...new Set(useful as string[])].slice(0, MOST_ADDRESSES);
}

/** Removes the prefix length. */
function bare(value: unknown): string | undefined {
  const address = text(value, 64)?.split('/')[0];
  return address !== undefined && /^[0-9a-fA-F]*[.:][0-9a-fA-F.:]+$/.test(address) ? address : undefined;
}

function isUseful(address: string): boolean {
  return !/^(127\.|169\.254\.|0\.0\.0\.0$|::1?$|fe[89ab][0-9a-f]:)/i.test(address);
}
