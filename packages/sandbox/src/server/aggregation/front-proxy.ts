/** The headers of a forwarded request: the client's own without the hop-by-hop ones, plus the client's identity. */
import type { IncomingMessage } from 'node:http';
import type { User } from '../api/context.ts';

export type Headers = { [name: string]: string | string[] };

const HOP_BY_HOP = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that only this server may set: the client's identity and host. Its credentials are not forwarded. */
const OURS =
  /^(?:x-remote-(?:user|uid|group|extra-.*)|x-forwarded-(?:for|host|proto|uri)|impersonate-(?:user|uid|group|extra-.*)|authorization|host|expect|audit-id)$/;

/** CORS headers in an extension server's answer are dropped, because CORS is up to this server. */
const CORS = /^access-control-allow-(?:credentials|headers|methods|origin)$/;

export interface Hop {
  /** Host and port of the extension server. */
  readonly host: string;
  readonly path: string;
  readonly user: User;
  readonly auditId: string;
}

export function forwardedHeaders(request: IncomingMessage, hop: Hop): Headers {
  const headers = endToEnd(request.rawHeaders, (name) => OURS.test(name));
  if (request.headers.te?.includes('trailers') === true) headers['TE'] = 'trailers';
  headers['X-Forwarded-Host'] = hop.host;
  headers['X-Forwarded-Proto'] = 'https';
  headers['X-Forwarded-Uri'] = hop.path;
  return { ...headers, ...ownHeaders(request, hop) };
}

/** For a protocol upgrade: includes Upgrade, and the real proxy sends fewer headers about itself. */
export function upgradeHeaders(request: IncomingMessage, hop: Hop): Headers {
  const headers = endToEnd(request.rawHeaders, (name) => OURS.test(name));
  return { ...headers, ...ownHeaders(request, hop), Connection: 'Upgrade', Upgrade: request.headers.upgrade ?? '' };
}

function ownHeaders(request: IncomingMessage, { host, user, auditId }: Hop): Headers {
  const earlier = request.headers['x-forwarded-for'];
  const from = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return {
    Host: host,
    'Audit-ID': auditId,
    'X-Forwarded-For': earlier === undefined ? from : `${String(earlier)}, ${from}`,
    ...userHeaders(user),
  };
}

export function userHeaders({ name, uid, groups, extra = {} }: User): Headers {
  const headers: Headers = { 'X-Remote-User': name };
  if (uid !== '') headers['X-Remote-Uid'] = uid;
  if (groups.length > 0) headers['X-Remote-Group'] = [...groups];
  for (const [key, values] of Object.entries(extra)) headers[`X-Remote-Extra-${escapeKey(key)}`] = [...values];
  return headers;
}

/** Percent-encodes every character that is not allowed in a header name, and the percent sign. */
function escapeKey(key: string): string {
  return [...Buffer.from(key)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w!#$&'*+.^`|~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

/** The headers of an extension server's answer that are forwarded to the client. */
export function answerHeaders(rawHeaders: readonly string[]): Headers {
  return endToEnd(rawHeaders, (name) => CORS.test(name));
}

function endToEnd(rawHeaders: readonly string[], drop: (name: string) => boolean): Headers {
  const named = new Set<string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== 'connection') continue;
    for (const name of (rawHeaders[i + 1] ?? '').split(',')) named.add(name.trim().toLowerCase());
  }
  const kept = new Map<string, { name: string; values: string[] }>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? '';
    const key = name.toLowerCase();
    if (HOP_BY_HOP.has(key) || named.has(key) || drop(key)) continue;
    const entry = kept.get(key) ?? { name, values: [] };
    entry.values.push(rawHeaders[i + 1] ?? '');
    kept.set(key, entry);
  }
  return Object.fromEntries(
    [...kept.values()].map(({ name, values }) => [name, values.length === 1 ? (values[0] as string) : values]),
  );
}
