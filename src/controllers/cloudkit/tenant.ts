/** The namespace in which the objects of an order stand. */
import type { Order } from './kinds.ts';

export function tenantOf({ metadata, spec }: Pick<Order, 'metadata' | 'spec'>): string {
  const { tenantNamespace } = spec;
  return tenantNamespace === undefined || tenantNamespace === '' ? (metadata.namespace ?? '') : tenantNamespace;
}
