/** The table of routes: methods and handlers of each subresource. */
import { type SubresourceAnswer } from './answer.ts';
import type { SubresourceCall } from './call.ts';
import { cancelEvacuation, cancelEvacuationOfVm } from './evacuate-cancel.ts';
import { expandSpec } from './expand.ts';
import * as forwarded from './forwarded.ts';
import { memoryDump, removeMemoryDump } from './volumes/memory-dump.ts';
import { migrate } from './migrate.ts';
import { restart, start, stop } from './power/power.ts';
import { onlyJson, producesJson, undeclared, type Contents } from './negotiation.ts';
import { badRequest } from './refusals.ts';
import * as streams from './streams.ts';
import { addVolume, addVolumeToInstance, removeVolume, removeVolumeFromInstance } from './volumes/volumes.ts';

type Handler = (call: SubresourceCall) => Promise<SubresourceAnswer>;

export type SubresourceRoute = { readonly contents: Contents } & (
  | { readonly method: 'GET' | 'PUT'; readonly answer: Handler }
  | { readonly method: 'GET'; readonly open: streams.StreamRoute }
);

const put = (answer: Handler): SubresourceRoute => ({ method: 'PUT', answer, contents: undeclared });
const get = (answer: Handler, contents: Contents): SubresourceRoute => ({ method: 'GET', answer, contents });
const stream = (open: streams.StreamRoute): SubresourceRoute => ({ method: 'GET', open, contents: undeclared });

/** Behind a feature gate that is off by default. */
const objectGraph = get(
  () => Promise.reject(badRequest('ObjectGraph feature gate not enabled: Unable to return object graph.')),
  onlyJson,
);

const routes: Readonly<
  Record<'virtualmachines' | 'virtualmachineinstances', Readonly<Record<string, SubresourceRoute>>>
> = {
  virtualmachines: {
    start: put(start),
    stop: put(stop),
    restart: put(restart),
    migrate: put(migrate),
    addvolume: put(addVolume),
    removevolume: put(removeVolume),
    memorydump: put(memoryDump),
    removememorydump: put(removeMemoryDump),
    'expand-spec': get(expandSpec, producesJson),
    objectgraph: objectGraph,
    'evacuate/cancel': put(cancelEvacuationOfVm),
    portforward: stream(streams.portForwardOfVm),
  },
  virtualmachineinstances: {
    pause: put(forwarded.pause),
    unpause: put(forwarded.unpause),
    softreboot: put(forwarded.softReboot),
    reset: put(forwarded.reset),
    freeze: put(forwarded.freeze),
    unfreeze: put(forwarded.unfreeze),
    backup: put(forwarded.backup),
    'redefine-checkpoint': put(forwarded.redefineCheckpoint),
    addvolume: put(addVolumeToInstance),
    removevolume: put(removeVolumeFromInstance),
    guestosinfo: get(forwarded.guestOsInfo, onlyJson),
    userlist: get(forwarded.userList, onlyJson),
    filesystemlist: get(forwarded.filesystemList, onlyJson),
    console: stream(streams.console_),
    vnc: stream(streams.vnc),
    'vnc/screenshot': get(forwarded.screenshot, undeclared),
    usbredir: stream(streams.usbRedirection),
    vsock: stream(streams.vsock),
    portforward: stream(streams.portForward),
    'sev/fetchcertchain': get(forwarded.fetchCertificateChain, onlyJson),
    'sev/querylaunchmeasurement': get(forwarded.queryLaunchMeasurement, onlyJson),
    'sev/setupsession': put(forwarded.setUpSession),
    'sev/injectlaunchsecret': put(forwarded.injectLaunchSecret),
    'evacuate/cancel': put(cancelEvacuation),
    objectgraph: objectGraph,
  },
};

export interface Found {
  readonly route: SubresourceRoute;
  readonly rest: readonly string[];
}

/**
 * Looks up a route by the parts of the path after the object's name. Only portforward has further parts: one or two.
 */
export function routeFor(resource: string, parts: readonly string[]): Found | undefined {
  if (resource !== 'virtualmachines' && resource !== 'virtualmachineinstances') return undefined;
  const [first = '', ...rest] = parts;
  const forwards = first === 'portforward' && rest.length >= 1 && rest.length <= 2;
  const name = forwards ? first : parts.join('/');
  // portforward without a port is answered with 404.
  if (name === 'portforward' && !forwards) return undefined;
  const route = Object.hasOwn(routes[resource], name) ? routes[resource][name] : undefined;
  return route === undefined ? undefined : { route, rest: forwards ? rest : [] };
}
