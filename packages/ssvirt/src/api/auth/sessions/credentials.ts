/** `Authorization: Basic`, as VCD's clients send it: `user@organization:password`. */

export interface Named {
  readonly username: string;
  readonly organization: string;
  readonly password: string;
}

/**
 * Undefined if the header has another form. The last @ separates the organization, since user names may contain one;
 * the first colon separates the password, which may contain more. Without an @ the organization is `fallback`.
 */
export function basicCredentials(header: string | undefined, fallback: string): Named | undefined {
  const encoded = /^basic +([\w+/=-]+)$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return undefined;
  const who = text.slice(0, colon);
  const at = who.lastIndexOf('@');
  return {
    username: at < 0 ? who : who.slice(0, at),
    organization: at < 0 ? fallback : who.slice(at + 1),
    password: text.slice(colon + 1),
  };
}
