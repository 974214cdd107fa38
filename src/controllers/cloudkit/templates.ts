/** Templates that people write: which one an order means. */
import type { Informer } from '../../kube/cache/informer.ts';
import { hashOf } from '../../kube/reconcile/apply-child.ts';
import type { OrderCaches } from './caches.ts';
import type { OrderTemplate } from './kinds.ts';

export const byTemplateId = 'template id';

/** Of several with the same id the oldest counts: whoever makes another one changes nobody's machines. */
export function templateOf(
  { templates }: Pick<OrderCaches, 'templates'>,
  templateID: string,
): OrderTemplate | undefined {
  return withId(templates, templateID)[0];
}

export function withId(templates: Informer<OrderTemplate>, templateID: string): readonly OrderTemplate[] {
  return templates.byIndex(byTemplateId, templateID).toSorted((a, b) => compare(ageOf(a), ageOf(b)));
}

/** Which state of a template it is. Its words for people do not count. */
export function versionOf({ spec }: OrderTemplate): string {
  return hashOf([spec.parameters ?? [], spec.objects]);
}

function ageOf({ metadata: { creationTimestamp = '', name = '' } }: OrderTemplate): string {
  return `${creationTimestamp} ${name}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
