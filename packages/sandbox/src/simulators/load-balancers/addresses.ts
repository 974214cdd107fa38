/** Addresses for Services, from the ranges reserved for documentation, so that no real host is reached. */
import type { Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { listAt, objectAt, textAt } from '../../objects/kinds/values/fields.ts';

/** 192.0.2.0/24 first; with more Services, 198.51.100.0/24, 203.0.113.0/24, and then 198.18.0.0/15. */
const ranges: readonly (readonly [prefix: string, count: number])[] = [
  ['192.0.2', 254],
  ['198.51.100', 254],
  ['203.0.113', 254],
  ...Array.from({ length: 512 }, (_, index) => [`198.${18 + (index >> 8)}.${index & 255}`, 254] as const),
];

export function* addresses(): Generator<string> {
  for (const [prefix, count] of ranges) for (let last = 1; last <= count; last++) yield `${prefix}.${last}`;
}

const part = (object: Unstructured, field: string): JsonObject | undefined => {
  const value = object[field] as Json | undefined;
  return isObject(value) ? value : undefined;
};

/** A Service that names a class belongs to the controller of that class. */
export function wantsAddress(service: Unstructured): boolean {
  const spec = part(service, 'spec');
  return (
    textAt(spec, 'type') === 'LoadBalancer' &&
    textAt(spec, 'loadBalancerClass') === '' &&
    service.metadata.deletionTimestamp === undefined
  );
}

export function askedAddress(service: Unstructured): string | undefined {
  return textAt(part(service, 'spec'), 'loadBalancerIP') || undefined;
}

export function addressOf(service: Unstructured): string | undefined {
  const ingress = listAt(objectAt(part(service, 'status'), 'loadBalancer'), 'ingress')[0];
  return textAt(ingress, 'ip') || undefined;
}
