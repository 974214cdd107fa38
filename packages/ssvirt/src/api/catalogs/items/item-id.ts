/**
 * Ids of items that are not stored: computed from the item, so that they are equal in every replica and after every
 * restart.
 */
import { createHash } from 'node:crypto';
import type { CatalogId, CatalogItemId } from '../../../db/schema/schema.ts';
import type { CatalogEntry } from '../../../kubevirt/catalog/entry.ts';

/** Our namespace for uuids of version 5. It must never change: every id that was handed out depends on it. */
const space = Buffer.from('6f1c6c0c4a4d5d0b9a57d0c2b5a3e1f7', 'hex');

export function itemIdOf(
  catalog: CatalogId,
  { kind, namespace, name }: Pick<CatalogEntry, 'kind' | 'namespace' | 'name'>,
): CatalogItemId {
  const digest = createHash('sha1').update(space).update(`${catalog}\n${kind}\n${namespace}\n${name}`).digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return parts.join('-') as CatalogItemId;
}
