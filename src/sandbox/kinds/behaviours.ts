/** The behaviour of each built-in kind, by group and resource. */
import type { KindBehaviour } from './kind.ts';
import { configMap } from './config-map.ts';
import { event, eventsV1Event } from './event.ts';
import { namespace } from './namespace.ts';
import { secret } from './secret.ts';
import { service } from './service.ts';

const BEHAVIOURS: { readonly [resource: string]: KindBehaviour } = {
  '/configmaps': configMap,
  '/events': event,
  '/namespaces': namespace,
  '/secrets': secret,
  '/services': service,
  'events.k8s.io/events': eventsV1Event,
};

/** What the kind does beyond its schema; kinds that do nothing special get an empty behaviour. */
export function behaviourOf(group: string, resource: string): KindBehaviour {
  const behaviour = BEHAVIOURS[`${group}/${resource}`] ?? {};
  const { validate } = behaviour;
  if (validate === undefined || behaviour.validateUpdate !== undefined) return behaviour;
  return { ...behaviour, validateUpdate: (object) => validate(object) };
}
