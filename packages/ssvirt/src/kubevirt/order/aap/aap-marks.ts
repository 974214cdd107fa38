/** AAP marks: what AAP leaves on an order. */
import { aapFinalizers, annotations, type OrderFacts } from '../resource.ts';

export interface AapMarked {
  readonly metadata: {
    readonly annotations?: Readonly<Record<string, string>>;
    readonly finalizers?: readonly string[];
  };
  readonly status?: Pick<OrderFacts, 'provisionedBy' | 'webhook'>;
}

export function reconciledVersion({ metadata }: AapMarked): string | undefined {
  return metadata.annotations?.[annotations.reconciledConfigVersion];
}

export function hasAapFinalizer({ metadata }: AapMarked): boolean {
  return metadata.finalizers?.some((one) => aapFinalizers.includes(one)) === true;
}

/** AAP has worked on it, or may have, even if the controller has begun to take over. */
export function wasWithAap(order: AapMarked): boolean {
  const { status } = order;
  return hasAapFinalizer(order) || status?.provisionedBy === 'aap' || status?.webhook?.action === 'create';
}

/** True even if the reported version is all that is left of AAP. */
export function aapMarks(order: AapMarked): boolean {
  return wasWithAap(order) || reconciledVersion(order) !== undefined;
}
