/** Reads the named order; if it does not exist, finds similar names. */
import { find } from '@ssvirt/kube/reconcile/create-or-patch';
import type { ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import { absenceText, nearby, type NameSearch } from '../cluster/nearby.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';
import { orders, type ShownOrder } from './shown-order.ts';

export async function orderNamed(asking: ClusterReaderOptions, namespace: string, name: string): Promise<ShownOrder> {
  const { client, signal } = asking;
  const found = await find(client, orders, { namespace, name }, { signal });
  if (found === undefined)
    throw new CliFailure(
      absenceText(sought(namespace, name), await nearby(asking, orders, namespace, name)),
      exitCodes.notFound,
    );
  return found;
}

export function sought(namespace: string, name: string): NameSearch {
  return { word: 'order', type: orders, namespace, name };
}
