/** Of the values in a query: percent-encoded UTF-8, with `+` for a space. */
import { badRequest } from '../errors.ts';

/** `where` names the parameter, for the error. */
export function decodeComponent(raw: string, where: string): string {
  const text = decoded(raw);
  if (text === undefined)
    throw badRequest(`${where}: ${shown(raw)} is not percent-encoded UTF-8; encode a "%" itself as "%25".`);
  // PostgreSQL's text cannot hold it.
  if (text.includes('\0')) throw badRequest(`${where}: ${shown(raw)} has a NUL in it, which nothing here can have.`);
  return text;
}

function decoded(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** Of what somebody sent, so much as helps to find it. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
