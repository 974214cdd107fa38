/** Serves `/`, the list of all paths, for `kubectl get --raw /`. */
import type { Discovery } from '../discovery/discovery.ts';
import { sendJson } from './render.ts';
import type { PathHandler } from './server.ts';

const HEALTH = ['/healthz', '/livez', '/readyz'].flatMap((path) => [
  path,
  `${path}/etcd`,
  `${path}/log`,
  `${path}/ping`,
]);
const OTHERS = ['/api', '/api/v1', '/apis', '/apis/', '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version'];

export function rootPaths(discovery: Discovery): PathHandler {
  return async (context) => {
    if (context.path !== '/') return false;
    await sendJson(context, 200, { paths: [...HEALTH, ...OTHERS, ...groupPaths(discovery)].toSorted() });
    return true;
  };
}

function groupPaths(discovery: Discovery): string[] {
  const { groups } = discovery.apis() as unknown as {
    groups: { name: string; versions: { groupVersion: string }[] }[];
  };
  return groups.flatMap(({ name, versions }) => [
    `/apis/${name}`,
    ...versions.map(({ groupVersion }) => `/apis/${groupVersion}`),
  ]);
}
