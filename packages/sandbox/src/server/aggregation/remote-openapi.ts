/** The OpenAPI v3 documents of an extension server: the paths in its index, with URLs that contain their hashes. */
import type { User } from '../api/context.ts';
import { isObject, type Json } from '../../values/json.ts';
import type { Fetched } from './extension-connection.ts';

export const OPENAPI_AGGREGATOR: User = { name: 'system:aggregator', uid: '', groups: [] };

/**
 * A server without v3 has no documents here: kube-apiserver would convert its v2 document, with losses. The sandbox
 * does not, and it does not include v2 documents of extension servers in its own.
 */
export function openApiPaths(group: string, { status, body }: Fetched): { readonly [path: string]: string } {
  if (status !== 200) return {};
  const document = JSON.parse(body) as Json;
  const paths = isObject(document) && isObject(document['paths']) ? document['paths'] : {};
  const found: { [path: string]: string } = {};
  for (const [path, entry] of Object.entries(paths)) {
    // Every server also has documents for `version` and the like, but clients want those of this server.
    const isOwn = `${path}/`.startsWith(`apis/${group}/`);
    if (isOwn && isObject(entry) && typeof entry['serverRelativeURL'] === 'string')
      found[path] = entry['serverRelativeURL'];
  }
  return found;
}
