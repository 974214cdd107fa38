/** The address that an API server tells others to reach it at. */
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** What it is bound to, or an address of this machine when that means every address, or only this machine. */
export function advertisedAddress(host: string): string | undefined {
  if (isIP(host) !== 0 && !/^(?:127\.|0\.0\.0\.0$|::1?$)/.test(host)) return host;
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return addresses.find(
    ({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'),
  )?.address;
}
