import type { Request } from './app-types.ts';

/**
 * The address that a request came from; empty if the client has disconnected, since the socket no longer knows it.
 * Behind a trusted proxy it is what the proxy forwarded, which may be any text of any length.
 */
export function clientAddress({ ip }: { readonly ip: Request['ip'] | undefined }): string {
  return (ip ?? '').slice(0, 64);
}
