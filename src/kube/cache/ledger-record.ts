/** An entry of a ledger as one text, which is how it is kept. */
import { parseKey } from '../object.ts';
import type { LedgerEntry } from './ledger.ts';

export interface LedgerRecord {
  readonly uid: string;
  readonly resourceVersion: string;
  /** Empty where the fields are what counts as a change. */
  readonly digest: string;
  /** A string as it is, anything else as JSON: the first character says which. */
  readonly fields: string;
}

/** Uids and versions that have a line feed in them are nobody's; the fields come last and may hold anything. */
export function recordText({ uid, resourceVersion, digest, fields }: LedgerRecord): string {
  if (uid.includes('\n') || resourceVersion.includes('\n'))
    throw new Error('the uid or the resourceVersion has a line feed in it');
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

/** F is what the ledger's owner gave for these fields, and is plain JSON. */
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
