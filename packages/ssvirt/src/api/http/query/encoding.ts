/** Decodes values of a query: percent-encoded UTF-8, with `+` for a space. */
import { badRequest } from '../../errors.ts';

/** `where` names the parameter, for the error. */
export function decodeComponent(raw: string, where: string): string {
  const text = decoded(raw);
  if (text === undefined)
    throw badRequest(`${where}: ${shown(raw)} is not percent-encoded UTF-8; encode a "%" itself as "%25".`);
  // PostgreSQL cannot store it in text.
  if (text.includes('\0')) throw badRequest(`${where}: ${shown(raw)} contains NUL, which is not permitted.`);
  return text;
}

function decoded(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/** `shown` returns an excerpt of the input that is long enough to find it. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
