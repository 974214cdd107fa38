/**
 * The token of a session. It has the form of a JWT, since clients recognize it by its length and read its `exp`; but
 * the server does not parse it: it looks up the hash of the whole token. Its last part is random where a JWT has a
 * signature, so there is no key that could be empty, known or stolen. See docs/decisions/0012.
 */
import { randomBytes } from 'node:crypto';

const header = encoded({ alg: 'HS256', typ: 'JWT' });

export function newToken(lastsMs: number): string {
  const now = Math.floor(Date.now() / 1000);
  const claims = encoded({ iat: now, exp: now + Math.floor(lastsMs / 1000) });
  return `${header}.${claims}.${randomBytes(32).toString('base64url')}`;
}

function encoded(part: Readonly<Record<string, unknown>>): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
