/**
 * Decides whether a server of ours, or a pod in a cluster, may connect to a URL that a user has written: only to public
 * addresses, and to those that the configuration allows.
 */
import { isIP } from 'node:net';
import { blockOf, contains, embeddedV4, reservedName, reservedRange } from './reserved-addresses.ts';
import { dnsLookup, LookupError, type HostLookup } from './resolver.ts';

export interface UrlFilterSettings {
  /** Host names, `*.DOMAIN` for all names below a domain, `*` for all. */
  readonly allowedHosts: readonly string[];
  readonly allowedCidrs: readonly string[];
}

/** `UrlFilterKeys` holds the keys of the configuration, for messages. */
export interface UrlFilterKeys {
  readonly hosts: string;
  readonly cidrs: string;
}

export interface UrlRefusal {
  /** `unresolved` may pass without a change of the URL or the configuration. */
  readonly kind: 'refused' | 'unresolved';
  /** The reason and what to do, as the rest of a sentence about the URL, without a full stop. */
  readonly message: string;
}

export class UrlFilter {
  readonly #hosts: ReadonlySet<string>;
  readonly #domains: readonly string[];
  readonly #allowed: ReturnType<typeof blockOf>;
  readonly #keys: UrlFilterKeys;
  readonly #lookup: HostLookup;

  constructor(
    { allowedHosts, allowedCidrs }: UrlFilterSettings,
    keys: UrlFilterKeys,
    lookup: HostLookup = dnsLookup(),
  ) {
    const hosts = allowedHosts.map((host) => host.toLowerCase().replace(/\.$/, ''));
    this.#hosts = new Set(hosts);
    this.#domains = hosts.filter((host) => host.startsWith('*.')).map((host) => host.slice(1));
    this.#allowed = blockOf(allowedCidrs);
    this.#keys = keys;
    this.#lookup = lookup;
  }

  /**
   * Resolves to why the URL may not be connected to; undefined if it may. What follows `docker://` is the name of an
   * image, which is read from its registry. Messages repeat the host and no other part of the URL, which may contain
   * secrets.
   */
  async check(url: string): Promise<UrlRefusal | undefined> {
    const host = hostOf(url);
    if (host === undefined) return undefined;
    if (host === '') return { kind: 'refused', message: 'names no host; write it as https://HOST/PATH' };
    if (this.#isAllowedName(host)) return undefined;
    const what = `the host "${host.slice(0, 253)}"`;
    if (isIP(host) !== 0) return this.#refusal(host, `${what} is`);
    const reserved = reservedName(host);
    if (reserved !== undefined)
      return {
        kind: 'refused',
        message: `${what} is ${reserved}; use a host on the internet, or ask the provider to allow the host (${this.#keys.hosts})`,
      };
    let addresses: readonly string[];
    try {
      addresses = await this.#lookup(host);
    } catch (error) {
      if (!(error instanceof LookupError)) throw error;
      return {
        kind: 'unresolved',
        message: `${what} cannot be checked: ${error.message}; check its name, or ask the provider to allow the host (${this.#keys.hosts})`,
      };
    }
    // One address that is reserved is enough: the importer chooses which one it uses.
    for (const address of addresses) {
      const refusal = this.#refusal(address, `${what} has an address that is`);
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  }

  #isAllowedName(host: string): boolean {
    return this.#hosts.has('*') || this.#hosts.has(host) || this.#domains.some((domain) => host.endsWith(domain));
  }

  #refusal(address: string, what: string): UrlRefusal | undefined {
    for (const one of [address, embeddedV4(address)]) {
      const reserved = one === undefined || contains(this.#allowed, one) ? undefined : reservedRange(one);
      if (reserved !== undefined)
        return {
          kind: 'refused',
          message: `${what} ${reserved.what} (${reserved.cidr}); use a host on the internet, or ask the provider to allow the network (${this.#keys.cidrs})`,
        };
    }
    return undefined;
  }
}

const defaultRegistry = 'docker.io';

/** The host that is connected to; undefined if the URL leads to no host, empty if it cannot be read. */
function hostOf(text: string): string | undefined {
  // Parsers read blanks and backslashes in different ways, so the importer could see another host.
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/([^\s\\]*)$/i.exec(text) ?? [];
  switch (scheme.toLowerCase()) {
    case '':
      return '';
    case 'docker':
      return hostnameIn(registryOf(rest));
    // A file in the pod of the importer.
    case 'oci-archive':
      return undefined;
    // A bucket at Google.
    case 'gs':
      return hostnameIn('storage.googleapis.com');
    default:
      return hostnameIn(/^[^/?#]*/.exec(rest)?.[0] ?? '');
  }
}

/** As container runtimes read the name of an image: a first part without a dot or a port is no registry. */
function registryOf(reference: string): string {
  const [first = '', ...path] = reference.split('/');
  return path.length > 0 && /[.:]|^localhost$/.test(first) ? first : defaultRegistry;
}

/** In the form of WHATWG URLs: lower case, and addresses in canonical form, however they were written. */
function hostnameIn(authority: string): string {
  const { hostname = '' } = URL.parse(`http://${authority}/`) ?? {};
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
