/**
 * Writes the status of a ResourceQuota without yielding to the event loop, so that usage and objects stay consistent.
 */
import { canonical } from '../../../server/api/present.ts';
import type { Resource } from '../../../server/api/resource.ts';
import { timestamp } from '../../../server/api/write/write.ts';
import { trackUpdate } from '../../../objects/apply/managed-fields.ts';
import type { JsonObject } from '../../../values/json.ts';
import { parseEntry, type Entry } from '../../../store/entry.ts';
import type { Store } from '../../../store/store.ts';

export const QUOTAS = '/resourcequotas';

export function writeQuotaStatus(
  store: Store,
  resource: Resource,
  entry: Entry,
  status: JsonObject,
  manager: string,
): void {
  const live = parseEntry(entry);
  const object = trackUpdate({
    live,
    object: { ...live, status },
    schema: resource.schema,
    manager,
    subresource: 'status',
    now: timestamp(),
    resetFields: resource.strategy.resetFields('status'),
  });
  store.put(QUOTAS, canonical(object, false), entry.revision);
}
