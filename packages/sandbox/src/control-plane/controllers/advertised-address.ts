/** The address that an API server advertises to others. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** `advertisedAddress` returns the bound address, unless it means all addresses or only loopback; in that case, an address of this computer. */
export function advertisedAddress(host: string): string | undefined {
  if (isIP(host) !== 0 && !/^(?:127\.|0\.0\.0\.0$|::1?$)/.test(host)) return host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(
    ({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'),
  )?.address;
}
