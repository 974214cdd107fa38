/**
 * `subresources.kubevirt.io` as virt-api 1.9 serves it: one table of routes in two versions, behind one access check.
 */
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AggregatedApi, ApiCall } from '../../serving/contracts.ts';
import type { World } from '../../world.ts';
import type { VirtHandler } from '../virt-handler.ts';
import { refusalFor } from './access.ts';
import { answerOf, json, plain, send, sendOn, type SubresourceAnswer } from './answer.ts';
import type { SubresourceCall, CallContext } from './call.ts';
import { clusterCalls } from './cluster-scope.ts';
import { GROUP, resourceList } from './discovery.ts';
import { expandVmSpec } from './expand.ts';
import { negotiate, onlyJson, producesJson } from './negotiation.ts';
import { oneSession } from './one-session.ts';
import { badRequest } from './refusals.ts';
import { routeFor, type SubresourceRoute } from './routes.ts';
import { targetOf, type ObjectTarget } from './target.ts';
import { joinWebSocket } from './websocket.ts';

/** Clients prefer the first version. */
const versions = ['v1', 'v1alpha3'] as const;

export function subresourcesApis(world: World, handler: VirtHandler): readonly AggregatedApi[] {
  const around: CallContext = { world, handler, open: oneSession(handler), client: world.as('virt-api').client };
  return versions.map((version) => ({
    group: GROUP,
    version,
    priority: { group: 1000, version: 15 },
    async handle(call: ApiCall, response: ServerResponse) {
      send(await answer(around, version, call), response);
    },
    upgrade(call: UpgradeCall, socket: Duplex, head: Buffer) {
      upgrade(around, version, call, socket, head).catch((error: unknown) => {
        world.log.error({ err: error, path: call.path }, 'defect in a websocket of virt-api');
        socket.destroy();
      });
    },
  }));
}

type UpgradeCall = Omit<ApiCall, 'body'>;

const NOT_FOUND = plain(404, '404: Page Not Found');
const NOT_ALLOWED = plain(405, '405: Method Not Allowed');

async function answer(around: CallContext, version: string, call: ApiCall): Promise<SubresourceAnswer> {
  const refused = await refusalFor(around.client, call);
  if (refused !== undefined) return refused;
  try {
    return await answerAllowed(around, version, call);
  } catch (error) {
    return answerOf(error);
  }
}

async function answerAllowed(around: CallContext, version: string, call: ApiCall): Promise<SubresourceAnswer> {
  const target = targetOf(call.path);
  switch (target.scope) {
    case 'cluster':
      return onCluster(around, version, call, target.name);
    case 'namespace':
      if (call.method !== 'PUT') return NOT_ALLOWED;
      return (
        negotiate(onlyJson, call.request) ??
        expandVmSpec({ ...around, ...call, namespace: target.namespace, body: () => call.body() })
      );
    case 'object': {
      const found = routeFor(target.resource, target.parts);
      if (found === undefined) return NOT_FOUND;
      const { route, rest } = found;
      if (call.method !== route.method) return NOT_ALLOWED;
      return (
        negotiate(route.contents, call.request) ??
        take(
          route,
          subresourceCall(around, call, target, rest, () => call.body()),
        )
      );
    }
    case 'nowhere':
      return NOT_FOUND;
  }
}

function onCluster(
  around: CallContext,
  version: string,
  { method, request }: Pick<ApiCall, 'method' | 'request'>,
  name: string,
): SubresourceAnswer | Promise<SubresourceAnswer> {
  const serve = Object.hasOwn(clusterCalls, name) ? clusterCalls[name] : undefined;
  if (name !== '' && serve === undefined) return NOT_FOUND;
  if (method !== 'GET') return NOT_ALLOWED;
  const refused = negotiate(name === 'healthz' ? onlyJson : producesJson, request);
  if (refused !== undefined) return refused;
  return serve === undefined ? json(resourceList(version)) : serve(around);
}

async function take(route: SubresourceRoute, call: SubresourceCall): Promise<SubresourceAnswer> {
  if ('answer' in route) return route.answer(call);
  // The state of the VMI is checked before the missing websocket handshake.
  (await route.open(call)).destroy();
  throw badRequest(
    "websocket: the client is not using the websocket protocol: 'upgrade' token not found in 'Connection' header",
  );
}

async function upgrade(
  around: CallContext,
  version: string,
  call: UpgradeCall,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const target = targetOf(call.path);
  const found = target.scope === 'object' ? routeFor(target.resource, target.parts) : undefined;
  const noBody = (): Promise<Buffer> => Promise.resolve(Buffer.alloc(0));
  if (target.scope !== 'object' || found === undefined || !('open' in found.route) || call.method !== 'GET') {
    // An upgrade request to a path that is not a stream gets an ordinary HTTP answer.
    sendOn(await answer(around, version, { ...call, body: noBody }), socket);
    return;
  }
  const refused = (await refusalFor(around.client, call)) ?? negotiate(found.route.contents, call.request);
  if (refused !== undefined) return sendOn(refused, socket);
  let guest: Duplex;
  try {
    guest = await found.route.open(subresourceCall(around, call, target, found.rest, noBody));
  } catch (error) {
    return sendOn(answerOf(error), socket);
  }
  joinWebSocket({ request: call.request, socket, head }, guest, around.world.signal);
}

function subresourceCall(
  around: CallContext,
  { query, caller }: UpgradeCall,
  { namespace, name }: ObjectTarget,
  rest: readonly string[],
  body: () => Promise<Buffer>,
): SubresourceCall {
  return { ...around, namespace, name, rest, query, caller, body };
}
