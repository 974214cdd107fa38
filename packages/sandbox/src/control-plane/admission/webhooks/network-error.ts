/** Converts errors of connections to other servers to the texts of Go's net/http. */
import { getServers } from 'node:dns';

interface NodeError extends Error {
  readonly code?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  /** Set when the certificate is for other names. */
  readonly cert?: { readonly subjectaltname?: string };
}

const UNKNOWN_AUTHORITY = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);

const CONNECT: { readonly [code: string]: string } = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  ETIMEDOUT: 'i/o timeout',
};

export function networkError(error: unknown, host: string): string {
  // Node reports one error per address that it tried; Go shows one of them.
  if (error instanceof AggregateError && error.errors.length > 0) return networkError(lastOf(error.errors), host);
  if (!(error instanceof Error)) return String(error);
  const { code = '', address = host, port, hostname, cert } = error as NodeError;
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'context deadline exceeded';
  const connect = CONNECT[code];
  if (connect !== undefined) return `dial tcp ${address.includes(':') ? `[${address}]` : address}:${port}: ${connect}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `dial tcp: lookup ${hostname ?? host}${nameServer()}: no such host`;
  if (UNKNOWN_AUTHORITY.has(code)) return badCertificate('certificate signed by unknown authority');
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return badCertificate('certificate has expired or is not yet valid');
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return badCertificate(wrongNames(cert?.subjectaltname ?? '', host));
  if (code === 'EPROTO' || code === 'ERR_SSL_WRONG_VERSION_NUMBER')
    return 'http: server gave HTTP response to HTTPS client';
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'EOF';
  return error.message;
}

const lastOf = (errors: readonly unknown[]): unknown => errors.at(-1);

function nameServer(): string {
  const [server] = getServers();
  if (server === undefined) return '';
  return ` on ${server.includes(':') && !server.startsWith('[') && server.split(':').length === 2 ? server : `${server}:53`}`;
}

const badCertificate = (why: string): string => `tls: failed to verify certificate: x509: ${why}`;

function wrongNames(alternatives: string, host: string): string {
  const bare = host.replace(/^\[|\]$/g, '');
  const entries = alternatives.split(', ').filter((entry) => entry !== '');
  const isAddress = /^[\d.]+$|:/.test(bare);
  const prefix = isAddress ? 'IP Address:' : 'DNS:';
  const names = entries.filter((entry) => entry.startsWith(prefix)).map((entry) => entry.slice(prefix.length));
  if (isAddress && names.length === 0)
    return `cannot validate certificate for ${bare} because it doesn't contain any IP SANs`;
  if (names.length === 0) return `certificate is not valid for any names, but wanted to match ${bare}`;
  return `certificate is valid for ${names.join(', ')}, not ${bare}`;
}
