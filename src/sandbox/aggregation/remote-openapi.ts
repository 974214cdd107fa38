/** The OpenAPI v3 documents that an extension server has: their paths in its index, with the URLs that carry their hashes. */
import type { User } from '../api/context.ts';
import { isObject, type Json } from '../json.ts';
import type { Fetched } from './extension-connection.ts';

export const OPENAPI_AGGREGATOR: User = { name: 'system:aggregator', uid: '', groups: [] };

/**
 * A server without v3 has no documents here: kube-apiserver would convert its v2 document, with losses, and the sandbox leaves
 * that out, as it leaves v2 documents of extension servers out of its own.
 */
export function openApiPaths(group: string, { status, body }: Fetched): { readonly [path: string]: string } {
  if (status !== 200) return {};
  const document = JSON.parse(body) as Json;
  const paths = isObject(document) && isObject(document['paths']) ? document['paths'] : {};
  const found: { [path: string]: string } = {};
  for (const [path, entry] of Object.entries(paths)) {
    // Every server has documents for `version` and the like: those of this one are meant.
    const isOwn = `${path}/`.startsWith(`apis/${group}/`);
    if (isOwn && isObject(entry) && typeof entry['serverRelativeURL'] === 'string')
      found[path] = entry['serverRelativeURL'];
  }
  return found;
}
