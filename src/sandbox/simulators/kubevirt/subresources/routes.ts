/** Which method of which subresource does what. */
import { type Answer } from './answer.ts';
import type { SubresourceCall } from './call.ts';
import { cancelEvacuation, cancelEvacuationOfVm } from './evacuate-cancel.ts';
import { expandSpec } from './expand.ts';
import * as forwarded from './forwarded.ts';
import { memoryDump, removeMemoryDump } from './memory-dump.ts';
import { migrate } from './migrate.ts';
import { restart, start, stop } from './power.ts';
import { badRequest } from './refusals.ts';
import * as streams from './streams.ts';
import { addVolume, addVolumeToInstance, removeVolume, removeVolumeFromInstance } from './volumes.ts';

export type Route =
  | { readonly method: 'GET' | 'PUT'; readonly answer: (call: SubresourceCall) => Promise<Answer> }
  | { readonly method: 'GET'; readonly open: streams.StreamRoute };

const put = (answer: (call: SubresourceCall) => Promise<Answer>): Route => ({ method: 'PUT', answer });
const get = (answer: (call: SubresourceCall) => Promise<Answer>): Route => ({ method: 'GET', answer });
const stream = (open: streams.StreamRoute): Route => ({ method: 'GET', open });

/** Behind a feature gate that is off unless one asks for it. */
const objectGraph = get(() =>
  Promise.reject(badRequest('ObjectGraph feature gate not enabled: Unable to return object graph.')),
);

const routes: Readonly<Record<'virtualmachines' | 'virtualmachineinstances', Readonly<Record<string, Route>>>> = {
  virtualmachines: {
    start: put(start),
    stop: put(stop),
    restart: put(restart),
    migrate: put(migrate),
    addvolume: put(addVolume),
    removevolume: put(removeVolume),
    memorydump: put(memoryDump),
    removememorydump: put(removeMemoryDump),
    'expand-spec': get(expandSpec),
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
    guestosinfo: get(forwarded.guestOsInfo),
    userlist: get(forwarded.userList),
    filesystemlist: get(forwarded.filesystemList),
    console: stream(streams.console_),
    vnc: stream(streams.vnc),
    'vnc/screenshot': get(forwarded.screenshot),
    usbredir: stream(streams.usbRedirection),
    vsock: stream(streams.vsock),
    portforward: stream(streams.portForward),
    'sev/fetchcertchain': get(forwarded.fetchCertificateChain),
    'sev/querylaunchmeasurement': get(forwarded.queryLaunchMeasurement),
    'sev/setupsession': put(forwarded.setUpSession),
    'sev/injectlaunchsecret': put(forwarded.injectLaunchSecret),
    'evacuate/cancel': put(cancelEvacuation),
    objectgraph: objectGraph,
  },
};

export interface Found {
  readonly route: Route;
  readonly rest: readonly string[];
}

/** By the parts of the path behind the object's name. Ports have one or two more parts, nothing else has. */
export function routeFor(resource: string, parts: readonly string[]): Found | undefined {
  if (resource !== 'virtualmachines' && resource !== 'virtualmachineinstances') return undefined;
  const [first = '', ...rest] = parts;
  const forwards = first === 'portforward' && rest.length >= 1 && rest.length <= 2;
  const name = forwards ? first : parts.join('/');
  // A port without its number is a page that is not there.
  if (name === 'portforward' && !forwards) return undefined;
  const route = Object.hasOwn(routes[resource], name) ? routes[resource][name] : undefined;
  return route === undefined ? undefined : { route, rest: forwards ? rest : [] };
}
