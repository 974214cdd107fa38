/** A ledger entry in its stored form, one string. */
import { parseKey } from '../object.ts';
import type { LedgerEntry } from './ledger.ts';

export interface LedgerRecord {
  readonly uid: string;
  readonly resourceVersion: string;
  /** Empty when the fields themselves decide what counts as a change. */
  readonly digest: string;
  /** A string is stored as it is, any other value as JSON; the first character says which. */
  readonly fields: string;
}

/**
 * Line feeds separate the parts. No server puts one into a uid or version; the fields come last and may contain any.
 */
export function recordText({ uid, resourceVersion, digest, fields }: LedgerRecord): string {
  if (uid.includes('\n') || resourceVersion.includes('\n'))
    throw new Error('the uid and the resourceVersion must not contain a line feed');
  return `${uid}\n${resourceVersion}\n${digest}\n${fields}`;
}

export function recordOf(text: string): LedgerRecord {
  const uidEnd = text.indexOf('\n');
  const versionEnd = text.indexOf('\n', uidEnd + 1);
  const digestEnd = text.indexOf('\n', versionEnd + 1);
  return {
    uid: text.slice(0, uidEnd),
    resourceVersion: text.slice(uidEnd + 1, versionEnd),
    digest: text.slice(versionEnd + 1, digestEnd),
    fields: text.slice(digestEnd + 1),
  };
}

export function fieldsText(fields: unknown): string {
  return typeof fields === 'string' ? `s${fields.toWellFormed()}` : `j${JSON.stringify(fields) ?? 'null'}`;
}

/** The fields parse as F, because the ledger's owner produced them as plain JSON. */
export function entryOf<F>(key: string, { uid, resourceVersion, digest, fields }: LedgerRecord): LedgerEntry<F> {
  const text = fields.slice(1);
  return {
    uid,
    key: parseKey(key),
    resourceVersion,
    digest: digest === '' ? text : digest,
    fields: (fields.startsWith('s') ? text : JSON.parse(text)) as F,
  };
}
