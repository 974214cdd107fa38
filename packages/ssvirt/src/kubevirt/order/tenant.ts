/** The namespace of an order's objects. */
import type { OrderSpec } from './resource.ts';

export interface PlacedOrder {
  readonly metadata: { readonly name?: string; readonly namespace?: string; readonly uid?: string };
  readonly spec: Pick<OrderSpec, 'tenantNamespace'>;
}

export function tenantOf({ metadata, spec }: PlacedOrder): string {
  const { tenantNamespace } = spec;
  return tenantNamespace === undefined || tenantNamespace === '' ? (metadata.namespace ?? '') : tenantNamespace;
}
