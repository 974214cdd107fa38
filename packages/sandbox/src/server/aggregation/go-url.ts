/**
 * Paths and queries as Go's net/url writes them: kube-aggregator parses a request's URL and forwards its own spelling.
 */

/** `goPath` decodes `%2F` to a slash, as the real proxy does. A path with an invalid encoding stays unchanged. */
export function goPath(path: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return path;
  }
  return encodeURIComponent(decoded).replaceAll(/%(?:24|26|2B|2C|2F|3A|3B|3D|40)|[!'()*]/g, (part) =>
    part.startsWith('%') ? decodeURIComponent(part) : percent(part),
  );
}

/** Sorted by key; the values of a key keep their order. Includes the question mark, or is empty. */
export function goQuery(query: URLSearchParams): string {
  const sorted = [...query]
    .map(([key, value]) => ({ key, value }))
    .toSorted((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1));
  return sorted.length === 0
    ? ''
    : `?${sorted.map(({ key, value }) => `${queryEscape(key)}=${queryEscape(value)}`).join('&')}`;
}

function queryEscape(text: string): string {
  return encodeURIComponent(text)
    .replaceAll('%20', '+')
    .replaceAll(/[!'()*]/g, percent);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Host and port, with brackets around an IPv6 address. */
export function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
