/** Looks up the addresses of hosts, with a deadline and without the thread pool of getaddrinfo. */
import { Resolver } from 'node:dns/promises';

/** `HostLookup` resolves to all addresses of a host, IPv4 and IPv6; it rejects with `LookupError` if it cannot. */
export type HostLookup = (host: string) => Promise<readonly string[]>;

export class LookupError extends Error {
  override readonly name = 'LookupError';
}

export interface LookupOptions {
  /** `ADDRESS:PORT` of DNS servers. Default: those of the machine. */
  readonly servers?: readonly string[];
  /** The longest time for one host. */
  readonly timeoutMs?: number;
}

/** Errors that say that a host has no address of a kind. */
const absent: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/** Search domains and the file of hosts are not used: an importer in a cluster does not have those of this machine. */
export function dnsLookup({ servers, timeoutMs = 5_000 }: LookupOptions = {}): HostLookup {
  return async (host) => {
    // Created for each host, so that a change of the machine's servers is noticed.
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), timeoutMs);
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      for (const one of found)
        if (one.status === 'rejected' && !absent.has(codeOf(one.reason)))
          throw new LookupError(`DNS does not answer (${codeOf(one.reason)})`, { cause: one.reason });
      if (addresses.length === 0) throw new LookupError('DNS has no address of it');
      return addresses;
    } finally {
      clearTimeout(deadline);
    }
  };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
}
