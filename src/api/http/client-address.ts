import type { Request } from './app-types.ts';

/** Where a request came from. Behind a proxy that is believed, it is what the proxy has forwarded, which may be anything, and long. */
export function clientAddress({ ip }: Pick<Request, 'ip'>): string {
  return ip.slice(0, 64);
}
