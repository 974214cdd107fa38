/** Readiness and liveness probes. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, objectAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, required, type Cause } from '../cause.ts';

const HANDLERS = ['httpGet', 'tcpSocket', 'exec', 'guestAgentPing'];
const PROBES = ['readinessProbe', 'livenessProbe'];

export function probeCauses(field: string, spec: JsonObject): Cause[] {
  const onPod = listAt(spec, 'networks').some((network) => isSet(network, 'pod'));
  return [
    ...PROBES.flatMap((probe) => handlerCauses(`${field}.${probe}`, objectAt(spec, probe))),
    ...(onPod ? [] : PROBES.flatMap((probe) => networkCauses(`${field}.${probe}`, objectAt(spec, probe)))),
  ];
}

function handlerCauses(at: string, probe: JsonObject | undefined): Cause[] {
  if (probe === undefined) return [];
  const handlers = HANDLERS.filter((handler) => isSet(probe, handler)).length;
  if (handlers > 1) return [invalid(`${at} must have exactly one probe type set`, at)];
  if (handlers === 1) return [];
  const text = `either ${at}.tcpSocket, ${at}.exec or ${at}.httpGet must be set if a ${at} is specified`;
  return [required(text, at)];
}

/** Probes over the network need the pod network. */
function networkCauses(at: string, probe: JsonObject | undefined): Cause[] {
  return ['httpGet', 'tcpSocket']
    .filter((handler) => isSet(probe, handler))
    .map((handler) => `${at}.${handler}`)
    .map((handler) => invalid(`${handler} is only allowed if the Pod Network is attached`, handler));
}
