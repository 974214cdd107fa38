import type { Request } from './app-types.ts';

/**
 * Where a request came from; empty where the caller has hung up, of whom the socket knows nothing more. Behind a proxy that is believed, it is what the proxy has
 * forwarded, which may be anything, and long.
 */
export function clientAddress({ ip }: { readonly ip: Request['ip'] | undefined }): string {
  return (ip ?? '').slice(0, 64);
}
