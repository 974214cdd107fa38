/** The order that somebody has named; where there is none, those that may be meant. */
import { nearest } from '../../config/nearest.ts';
import { isNotFound } from '../../kube/errors.ts';
import { find } from '../../kube/reconcile/create-or-patch.ts';
import { InputError } from './input.ts';
import { namespaces, orders, type Order } from './kinds.ts';
import type { Asking } from './surroundings.ts';

export async function orderNamed(asking: Asking, namespace: string, name: string): Promise<Order> {
  const { client, signal } = asking;
  const found = await find(client, orders, { namespace, name }, { signal });
  if (found === undefined) throw new InputError(await absence(asking, namespace, name));
  return found;
}

export interface Nearby {
  /** The kind is not served. */
  readonly isUnknown?: true;
  readonly isNamespaceMissing?: true;
  /** The most likely one in the same namespace. */
  readonly meant?: string;
  /** Namespaces that have an order of that name. */
  readonly elsewhere: readonly string[];
  readonly names: readonly string[];
}

const most = 10;

export async function nearby({ client, signal }: Asking, namespace: string, name: string): Promise<Nearby> {
  const names: string[] = [];
  const elsewhere: string[] = [];
  try {
    for await (const { items } of client.pages(orders, { metadataOnly: true, signal }))
      for (const { metadata } of items) {
        if (metadata.namespace === namespace) names.push(metadata.name ?? '');
        else if (metadata.name === name) elsewhere.push(metadata.namespace ?? '');
      }
  } catch (error) {
    if (isNotFound(error)) return { isUnknown: true, names: [], elsewhere: [] };
    throw error;
  }
  const place = await find(client, namespaces, { name: namespace }, { signal });
  const meant = nearest(name, names);
  return {
    ...(place === undefined ? { isNamespaceMissing: true as const } : {}),
    ...(meant === undefined ? {} : { meant }),
    names: names.toSorted().slice(0, most),
    elsewhere: elsewhere.slice(0, most),
  };
}

async function absence(asking: Asking, namespace: string, name: string): Promise<string> {
  return absenceText(namespace, name, await nearby(asking, namespace, name));
}

export function absenceText(namespace: string, name: string, near: Nearby): string {
  const head = `there is no order "${name}" in namespace "${namespace}"`;
  if (near.isUnknown === true)
    return `${head}: the cluster does not know the kind; apply deploy/crds/virtualmachines.cloudkit.openshift.io.yaml, or choose another cluster by --context`;
  if (near.elsewhere.length > 0) return `${head}, but in ${near.elsewhere.map((one) => `"${one}"`).join(', ')}: say -n`;
  if (near.meant !== undefined) return `${head}: did you mean "${near.meant}"?`;
  if (near.isNamespaceMissing === true) return `${head}, and no such namespace: say -n with another`;
  return near.names.length === 0
    ? `${head}, nor any other`
    : `${head}: there are ${near.names.map((one) => `"${one}"`).join(', ')}`;
}
