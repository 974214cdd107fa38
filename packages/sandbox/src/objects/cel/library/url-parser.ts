/** Parses URLs like Go's net/url; JavaScript's own parser repairs what Go rejects. */
import { parseAddress } from './address.ts';

export interface ParsedUrl {
  readonly scheme: string;
  /** Includes the port. */
  readonly host: string;
  /** As written. */
  readonly path: string;
  readonly query: string;
  /** The text for comparisons. */
  readonly text: string;
}

/** `parseRequestUrl` parses a URL as in a request line (absolute, or a path from the root); returns Go's error text on failure. */
export function parseRequestUrl(text: string): ParsedUrl | string {
  const parsed = parse(text);
  if (typeof parsed === 'string') return `parse ${JSON.stringify(text)}: ${parsed}`;
  // A request line has no fragment, so only the text before it determines the parts.
  const bare = parse(text.split('#', 1)[0] ?? '');
  return typeof bare === 'string' ? parsed : { ...bare, text };
}

function parse(text: string): ParsedUrl | string {
  if (hasControls(text)) return 'net/url: invalid control character in URL';
  if (text === '') return 'empty url';
  if (text === '*') return { scheme: '', host: '', path: '*', query: '', text };
  if (text.startsWith(':')) return 'missing protocol scheme';
  const scheme = (/^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '').toLowerCase();
  const afterScheme = scheme === '' ? text : text.slice(scheme.length + 1);
  const mark = afterScheme.indexOf('?');
  const query = mark === -1 ? '' : afterScheme.slice(mark + 1);
  const rest = mark === -1 ? afterScheme : afterScheme.slice(0, mark);
  if (!rest.startsWith('/'))
    return scheme === '' ? 'invalid URI for request' : { scheme, host: '', path: '', query, text };
  if (scheme === '' || !rest.startsWith('//')) return withPath({ scheme, host: '', path: rest, query, text });
  const slash = rest.indexOf('/', 2);
  const authority = rest.slice(2, slash === -1 ? undefined : slash);
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (typeof host !== 'string') return host.error;
  if (at !== -1 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) {
    return 'net/url: invalid userinfo';
  }
  return withPath({ scheme, host, path: slash === -1 ? '' : rest.slice(slash), query, text });
}

const hasControls = (text: string): boolean => Buffer.from(text).some((byte) => byte < 0x20 || byte === 0x7f);

function withPath(url: ParsedUrl): ParsedUrl | string {
  return badEscape(url.path) ?? url;
}

function badEscape(text: string): string | undefined {
  const bad = /%(?![0-9a-fA-F]{2})/.exec(text);
  return bad === null ? undefined : `invalid URL escape ${JSON.stringify(text.slice(bad.index, bad.index + 3))}`;
}

interface Failure {
  readonly error: string;
}

function parseHost(scheme: string, host: string): string | Failure {
  const open = host.lastIndexOf('[');
  if (open > 0) return { error: 'invalid IP-literal' };
  if (open === 0) return parseBracketed(host);
  const colon = host.indexOf(':');
  // For http and https, several colons are an error; for other schemes the last one begins the port.
  const port = colon === -1 ? '' : host.slice(/^https?$/.test(scheme) ? colon : host.lastIndexOf(':'));
  if (!validPort(port)) return { error: `invalid port ${JSON.stringify(port)} after host` };
  const bad = /[ "<>^`{|}\\]/.exec(host)?.[0];
  if (bad !== undefined) return { error: `invalid character ${JSON.stringify(bad)} in host name` };
  const escape = badEscape(host) ?? asciiEscape(host);
  return escape === undefined ? decodeHost(host) : { error: escape };
}

function parseBracketed(host: string): string | Failure {
  const close = host.lastIndexOf(']');
  if (close < 0) return { error: "missing ']' in host" };
  const port = host.slice(close + 1);
  if (!validPort(port)) return { error: `invalid port ${JSON.stringify(port)} after host` };
  const name = host.slice(1, close).replace('%25', '%');
  const address = parseAddress(name);
  if (typeof address === 'string') return { error: `invalid host: ${address}` };
  return address.bits === 32 ? { error: 'invalid IP-literal' } : `[${name}]${port}`;
}

const validPort = (port: string): boolean => port === '' || /^:[0-9]*$/.test(port);

/** Only non-ASCII bytes may be escaped in a host. */
function asciiEscape(host: string): string | undefined {
  const bad = /%[0-7][0-9a-fA-F]/.exec(host)?.[0];
  return bad === undefined || bad === '%25' ? undefined : `invalid URL escape ${JSON.stringify(bad)}`;
}

const decodeHost = (host: string): string => {
  try {
    return decodeURIComponent(host);
  } catch (error) {
    if (error instanceof URIError) return host;
    throw error;
  }
};

export function hostname({ host }: ParsedUrl): string {
  const bare = host.replace(/:[0-9]*$/, '');
  if (host.startsWith('[')) return host.slice(1, host.lastIndexOf(']'));
  return bare;
}

export const port = ({ host }: ParsedUrl): string => /(?:^|[^:\]]|\])(?::([0-9]*))$/.exec(host)?.[1] ?? '';

const PATH_SAFE = /[A-Za-z0-9\-_.~$&+,/:;=@!'()*[\]%]/;

/** `escapedPath` is the path as written where that is valid; other characters are escaped. */
export const escapedPath = ({ path }: ParsedUrl): string =>
  [...path].map((c) => (PATH_SAFE.test(c) ? c : encodeURIComponent(c))).join('');

/** The parameters by name, in the order of first appearance; pairs that cannot be decoded are omitted. */
export function queryValues({ query }: ParsedUrl): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = decodeQuery(equals === -1 ? pair : pair.slice(0, equals));
    const value = decodeQuery(equals === -1 ? '' : pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}

function decodeQuery(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
