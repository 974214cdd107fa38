/**
 * Converts Node's network and TLS errors to the texts of Go's net, crypto/tls and net/http, which clients see in 503s
 * and conditions.
 */
import { getServers } from 'node:dns';
import { hostPort } from './go-url.ts';

/** The properties of Node's socket errors; each may be missing. */
interface NetworkError extends Error {
  readonly code?: string;
  readonly syscall?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
  /** In an AggregateError: one error per address that was tried. */
  readonly errors?: readonly NetworkError[];
  /** Set when the certificate is for other names. */
  readonly host?: string;
  readonly cert?: { readonly subjectaltname?: string };
}

const CONNECT: { readonly [code: string]: string } = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
  ECONNRESET: 'connection reset by peer',
};

const UNKNOWN_AUTHORITY = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
]);

export function goNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const failed: NetworkError = error;
  const cause = failed.errors?.[0] ?? failed;
  return dialError(cause) ?? certificateError(cause) ?? connectionError(cause) ?? cause.message;
}

function dialError({ code = '', syscall, address = '', port = 0, hostname = '' }: NetworkError): string | undefined {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const [server] = getServers();
    const on = server === undefined ? '' : ` on ${/:\d+$/.test(server) ? server : hostPort(server, 53)}`;
    return `dial tcp: lookup ${hostname}${on}: ${code === 'ENOTFOUND' ? 'no such host' : 'server misbehaving'}`;
  }
  if (syscall !== 'connect') return undefined;
  return `dial tcp ${hostPort(address, port)}: connect: ${CONNECT[code] ?? code}`;
}

function certificateError({ code = '', host = '', cert }: NetworkError): string | undefined {
  const failed = 'tls: failed to verify certificate: x509:';
  if (UNKNOWN_AUTHORITY.has(code)) return `${failed} certificate signed by unknown authority`;
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return `${failed} certificate has expired or is not yet valid`;
  if (code !== 'ERR_TLS_CERT_ALTNAME_INVALID') return undefined;
  const names = [...(cert?.subjectaltname ?? '').matchAll(/DNS:([^,\s]+)/g)].map(([, name]) => name);
  if (names.length === 0) return `${failed} certificate is not valid for any names, but wanted to match ${host}`;
  return `${failed} certificate is valid for ${names.join(', ')}, not ${host}`;
}

function connectionError({ code = '', message, syscall }: NetworkError): string | undefined {
  if (code === 'ECONNRESET') return syscall === 'read' ? 'read: connection reset by peer' : 'EOF';
  if (code === 'EPIPE') return 'write: broken pipe';
  if (/wrong.version.number|packet.length.too.long/i.test(message))
    return 'http: server gave HTTP response to HTTPS client';
  if (code.startsWith('HPE_')) return 'net/http: HTTP/1.x transport connection broken: malformed HTTP response';
  return undefined;
}
