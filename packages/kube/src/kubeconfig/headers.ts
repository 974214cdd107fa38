/** The headers of authentication and impersonation: Authorization and Impersonate-*. */
import type { Impersonation, UserEntry } from './document.ts';
import { KubeconfigError } from './error.ts';

/** The characters allowed in a header name; client-go encodes all others as %XX, and the server decodes them. */
const PLAIN = /^[!#$&'*+\-.^_`|~\dA-Za-z]$/;

export function bearer(token: string): string {
  return `Bearer ${token}`;
}

export function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/**
 `tokenProblem` * Describes what is wrong with a token, or returns undefined. A trailing line break is the usual mistake, and HTTP
 * would refuse it.
 */
export function tokenProblem(token: string): string | undefined {
  return /^[\x21-\x7e]+$/.test(token)
    ? undefined
    : 'the token is empty or contains spaces, line breaks or non-ASCII characters';
}

export function impersonationHeaders(user: UserEntry): Readonly<Record<string, string | readonly string[]>> {
  const { impersonate } = user;
  if (impersonate.user === undefined) {
    if (asksForMore(impersonate))
      throw new KubeconfigError(`${user.path}.as`, 'it is required with as-uid, as-groups or as-user-extra', user.file);
    return {};
  }
  const value = (text: string, field: string): string => headerValue(text, `${user.path}.${field}`, user.file);
  return {
    'Impersonate-User': value(impersonate.user, 'as'),
    ...(impersonate.uid === undefined ? {} : { 'Impersonate-Uid': value(impersonate.uid, 'as-uid') }),
    ...several(
      'Impersonate-Group',
      impersonate.groups.map((group) => value(group, 'as-groups')),
    ),
    ...Object.fromEntries(
      Object.entries(impersonate.extra).flatMap(([key, texts]) =>
        Object.entries(
          several(
            `Impersonate-Extra-${escaped(key)}`,
            texts.map((text) => value(text, 'as-user-extra')),
          ),
        ),
      ),
    ),
  };
}

function asksForMore({ uid, groups, extra }: Impersonation): boolean {
  return uid !== undefined || groups.length > 0 || Object.keys(extra).length > 0;
}

function several(name: string, values: readonly string[]): Readonly<Record<string, readonly string[]>> {
  return values.length === 0 ? {} : { [name]: values };
}

/** client-go sends names as UTF-8; Node writes a header as Latin-1, one byte per character. */
function headerValue(text: string, field: string, file: string | undefined): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  if (/[^\t\x20-\x7e\x80-\xff]/.test(bytes))
    throw new KubeconfigError(field, 'it must not contain control characters', file);
  return bytes;
}

function escaped(key: string): string {
  return Array.from(Buffer.from(key, 'utf8'), (byte) => {
    const letter = String.fromCharCode(byte);
    return PLAIN.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
