/** What Go's url.ParseRequestURI accepts: an absolute URI or an absolute path. */

const badEscape = /%(?![0-9A-Fa-f]{2})/;
// eslint-disable-next-line no-control-regex -- finding control characters is the purpose
const control = /[\u0000-\u001f\u007f]/;
/** Characters that Go rejects in a host without brackets. */
const badHost = /[\s"<>\\^`{}|]/;

export function isRequestUri(text: string): boolean {
  if (text === '' || control.test(text)) return false;
  if (text === '*') return true;
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text);
  if (scheme === null && /^[^/?#]*:/.test(text)) return false;
  const rest = (scheme === null ? text : text.slice(scheme[0].length)).replace(/\?.*$/s, '');
  // Without a leading slash there must be a scheme, and the rest is opaque.
  if (!rest.startsWith('/')) return scheme !== null;
  const authority = scheme !== null && rest.startsWith('//') ? rest.slice(2).replace(/\/.*$/s, '') : undefined;
  if (authority !== undefined && !isAuthority(authority)) return false;
  const path = authority === undefined ? rest : rest.slice(2 + authority.length);
  return !badEscape.test(path);
}

function isAuthority(authority: string): boolean {
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']');
    return end !== -1 && /^(:\d*)?$/.test(host.slice(end + 1));
  }
  const colon = host.lastIndexOf(':');
  if (colon !== -1 && !/^:\d*$/.test(host.slice(colon))) return false;
  return !badHost.test(host) && !badEscape.test(host);
}
