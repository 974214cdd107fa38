/** Converts a connection's TLS settings to Node's options. */
import { defined } from '@ssvirt/base/values/defined';
import { createSecureContext, type SecureContext } from 'node:tls';
import type { Connection, TlsIdentity } from '../connection.ts';

export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
}

export type SharedTlsOptions = Omit<TlsOptions, 'ca' | 'cert' | 'key'> & { readonly secureContext: SecureContext };

export function tlsOptions(tls: TlsIdentity): TlsOptions {
  return {
    ...defined({ ca: tls.ca, cert: tls.cert, key: tls.key, servername: tls.serverName }),
    rejectUnauthorized: tls.insecureSkipVerify !== true,
  };
}

/** Like `tlsOptions`, for many sockets: certificates and key are parsed once. */
export function sharedTlsOptions(tls: TlsIdentity): TlsOptions | SharedTlsOptions {
  const options = tlsOptions(tls);
  const { ca, cert, key, ...others } = options;
  try {
    return { ...others, secureContext: createSecureContext({ ca, cert, key }) };
  } catch {
    // They cannot be parsed: every connection attempt reports it.
    return options;
  }
}

/** `sameRoute` returns whether both can share sockets. Headers, and so tokens, do not matter. */
export function sameRoute(a: Connection, b: Connection): boolean {
  if (a === b) return true;
  return (
    a.server === b.server &&
    a.proxyUrl === b.proxyUrl &&
    a.tls.ca === b.tls.ca &&
    a.tls.cert === b.tls.cert &&
    a.tls.key === b.tls.key &&
    a.tls.serverName === b.tls.serverName &&
    (a.tls.insecureSkipVerify ?? false) === (b.tls.insecureSkipVerify ?? false)
  );
}
