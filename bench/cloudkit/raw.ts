/**
 * The same writes without an operator: the same bodies, in the same sequence for each order, with the same concurrency
 * and client library. What the operator applies is created plainly instead. There are no reads, decisions, watches or
 * Events.
 */
import { dataVolumes, namespaces, secrets, services, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { orders, type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import { identityOf } from '../../packages/ssvirt/src/controllers/cloudkit/work.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { keyOfObject, type KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { buildOrder } from '../../packages/ssvirt/src/kubevirt/order/build.ts';
import { readParameters } from '../../packages/ssvirt/src/kubevirt/order/parameters/parameters.ts';
import { annotations, finalizer } from '../../packages/ssvirt/src/kubevirt/order/resource.ts';
import { concurrently } from '../operator/concurrently.ts';
import { createAtOnce, nameOf } from './orders.ts';

/** The operator's default concurrency. */
const atOnce = 10;

const types: Readonly<Record<string, ResourceType<KubeObject>>> = {
  Secret: secrets,
  DataVolume: dataVolumes,
  VirtualMachine: virtualMachines,
  Service: services,
};

/**
 * Returns how long each took, in milliseconds, from the order to its last status. `sample` is an order that the
 * operator fulfilled.
 */
export async function writeRaw(
  client: Client,
  round: number,
  count: number,
  sample: Order,
): Promise<readonly number[]> {
  // The operator watches orders in one other namespace only.
  const namespace = `bench-raw-${round}`;
  await client.create(namespaces, { metadata: { name: namespace } });
  const names = Array.from({ length: count }, (_, index) => nameOf(round, index));
  const { sent, answered } = createAtOnce(client, namespace, names);
  const times: number[] = [];
  await concurrently(count, atOnce, async (index) => {
    const order = await answered[index];
    if (order === undefined) throw new Error('there are more turns than orders');
    await writeOne(client, namespace, order, sample);
    times.push(performance.now() - (sent.get(order.metadata.name ?? '') ?? 0));
  });
  return times;
}

async function writeOne(client: Client, namespace: string, order: Order, sample: Order): Promise<void> {
  const key = keyOfObject(order);
  const patch = (body: object): Promise<unknown> => client.patch(orders, key, { type: 'merge', body });
  const status = (body: object): Promise<unknown> =>
    client.patch(orders, key, { type: 'merge', body: { status: body } }, { subresource: 'status' });
  await patch({ metadata: { finalizers: [finalizer] } });
  await status({ provisionedBy: 'controller' });
  for (const child of childrenOf(order)) {
    const type = types[child.kind];
    if (type === undefined) throw new Error(`nobody knows how to write a ${child.kind}`);
    await client.create(type, { ...child, metadata: { ...child.metadata, namespace, labels: unwatched(child) } });
  }
  const { reconciledConfigVersion } = annotations;
  const version = sample.status?.reconciledConfigVersion ?? '';
  await patch({ metadata: { annotations: { [reconciledConfigVersion]: version } } });
  await status({ ...sample.status });
}

function childrenOf(order: Order): ReturnType<typeof buildOrder> {
  const read = readParameters(order.spec.templateParameters);
  if ('problems' in read) throw new Error('the order of the bench is a bad one');
  return buildOrder(identityOf(order), read.parameters, { storageClass: 'bench', binding: 'masquerade' });
}

/** Renames the labels, because the otherwise idle operator would reconcile objects that bear its own. */
function unwatched({ metadata: { labels = {} } }: KubeObject): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [`${name}-raw`, value]));
}
