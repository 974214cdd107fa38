/** Finds the OrderTemplate that an order names. */
import type { Informer } from '@ssvirt/kube/informer/informer';
import { hashOf } from '@ssvirt/kube/reconcile/apply-child';
import type { OrderCaches } from '../operator/caches.ts';
import type { OrderTemplate } from '../operator/order-types.ts';

export const byTemplateId = 'template id';

/** Of several templates with the same id the oldest is used, so that adding one does not change existing VMs. */
export function templateOf(
  { templates }: Pick<OrderCaches, 'templates'>,
  templateID: string,
): OrderTemplate | undefined {
  return withId(templates, templateID)[0];
}

export function withId(templates: Informer<OrderTemplate>, templateID: string): readonly OrderTemplate[] {
  return templates.byIndex(byTemplateId, templateID).toSorted((a, b) => compare(ageOf(a), ageOf(b)));
}

/** `versionOf` returns the version of a template. Its descriptions are not part of it. */
export function versionOf({ spec }: OrderTemplate): string {
  return hashOf([spec.parameters ?? [], spec.objects]);
}

function ageOf({ metadata: { creationTimestamp = '', name = '' } }: OrderTemplate): string {
  return `${creationTimestamp} ${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
