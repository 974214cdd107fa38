/** API tokens: created once, and exchanged for a new session when the old one has expired. */
import { defined } from '@ssvirt/base/values/defined';
import type { Connection } from './connection.ts';
import { refusalOf } from './refusal.ts';

/** The provider uses its own OAuth endpoint. */
export function isProvider(org: string): boolean {
  return org.toLowerCase() === 'system';
}

function doorOf(org: string): string {
  return isProvider(org) ? '/oauth/provider' : `/oauth/tenant/${encodeURIComponent(org)}`;
}

/** `sessionOf` resolves to the token of a new session, or to undefined if the API token is no longer valid. */
export async function sessionOf(
  connection: Connection,
  { org, secret }: { readonly org: string; readonly secret: string },
): Promise<string | undefined> {
  const granted = await grant(connection, org, { grant_type: 'refresh_token', refresh_token: secret });
  return granted?.access_token;
}

interface Granted {
  readonly access_token?: string;
  readonly refresh_token?: string | null;
}

async function grant(
  connection: Connection,
  org: string,
  fields: Readonly<Record<string, string>>,
): Promise<Granted | undefined> {
  const { statusCode, body } = await connection.send({
    method: 'POST',
    path: `${doorOf(org)}/token`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });
  const text = await body.text();
  if (statusCode === 200) return JSON.parse(text) as Granted;
  if (statusCode === 429 || statusCode >= 500) throw refusalOf(statusCode, text);
  return undefined;
}

export interface NewApiToken {
  readonly org: string;
  readonly name: string;
  /** In seconds. */
  readonly expiresIn?: number;
}

/** `newApiToken` creates an API token for the session's user; resolves to undefined if the server returns none. */
export async function newApiToken(
  connection: Connection,
  { org, token, name, expiresIn }: NewApiToken & { readonly token: string },
): Promise<{ readonly id: string; readonly secret: string } | undefined> {
  const { statusCode, body } = await connection.send({
    method: 'POST',
    path: `${doorOf(org)}/register`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, ...defined({ expires_in: expiresIn }) }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw refusalOf(statusCode, text);
  const { client_id: id } = JSON.parse(text) as { readonly client_id: string };
  const fields = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', client_id: id, assertion: token };
  const granted = await grant(connection, org, fields);
  return typeof granted?.refresh_token === 'string' ? { id, secret: granted.refresh_token } : undefined;
}
