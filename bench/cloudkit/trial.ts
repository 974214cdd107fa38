/**
 * One round: orders are created at once, the operator is observed until all of them have reached their goal, and then
 * they are deleted.
 */
import { dataVolumes, secrets, services, virtualMachines } from '../../packages/ssvirt/src/fleet/kinds.ts';
import { orders, type Order } from '../../packages/ssvirt/src/controllers/cloudkit/operator/order-types.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { OperatorProcess } from '../operator/operator-process.ts';
import { counted, reconciles, requestsOf, since, total } from '../operator/requests.ts';
import { quiet, until } from '../operator/rest.ts';
import type { Figures } from '../sandbox/figures.ts';
import { cpuSeconds } from '../sandbox/processes.ts';
import type { Harness } from './harness.ts';
import { Milestones } from './milestones.ts';
import type { Options } from './options.ts';
import { createAtOnce, nameOf, ordersNamespace, tenantNamespace } from './orders.ts';
import { addShares, between } from './times.ts';

/** The number of objects of each kind per order. */
const children: readonly (readonly [ResourceType<KubeObject>, number])[] = [
  [secrets, 2],
  [dataVolumes, 1],
  [virtualMachines, 1],
  [services, 1],
];

export interface Trial {
  readonly harness: Harness;
  readonly operator: OperatorProcess;
  readonly options: Options;
  readonly round: number;
  /** The figures of this round. */
  readonly figures: Figures;
  readonly section: string;
}

export function startOperator({ folder, server }: Harness, { command, profile }: Options): Promise<OperatorProcess> {
  return OperatorProcess.start({
    name: 'cloudkit-operator',
    folder,
    cluster: server,
    command,
    profile,
    env: { CLOUDKIT_VM_ORDER_NAMESPACE: ordersNamespace },
  });
}

export interface Provisioned {
  /** Seconds until the last order was applied. */
  readonly seconds: number;
  readonly sample: Order;
}

/** `goal` is the milestone that every order must reach. */
export async function provision(trial: Trial, goal: 'applied' | 'ready'): Promise<Provisioned> {
  const { harness, operator, options, round, figures, section } = trial;
  const { client } = harness.server;
  const milestones = await Milestones.follow(client);
  const before = await operator.metrics();
  const [cpu, serverCpu] = [operator.cpuSeconds(), cpuSeconds(harness.processes)];
  const names = Array.from({ length: options.orders }, (_, index) => nameOf(round, index));
  const began = performance.now();
  const { sent, answered } = createAtOnce(client, ordersNamespace, names);
  await Promise.all(answered);
  figures.add(section, 'until the last order was created', 's', (performance.now() - began) / 1000);
  await until(`all orders are ${goal}`, 10, () => milestones[goal].size >= names.length);
  const seconds = (Math.max(...milestones.applied.values()) - began) / 1000;
  figures.add(section, 'until the last order was applied', 's', seconds);
  addShares(figures, section, 'created → applied', between(sent, milestones.applied));
  if (goal === 'ready') addShares(figures, section, 'created → Ready', between(sent, milestones.ready));
  await quiet(operator);
  const sample = await assertMade(harness, names);
  if (goal === 'applied') addWork(trial, before, await operator.metrics(), milestones.changes, cpu, serverCpu);
  figures.add(section, 'orders that failed', '', milestones.failed.size);
  await milestones.end();
  return { seconds, sample };
}

/** Checks that orders that report completion have all their objects. */
async function assertMade({ server: { client } }: Harness, names: readonly string[]): Promise<Order> {
  for (const [type, each] of children) {
    const { items } = await client.list(type, { namespace: tenantNamespace });
    const found = items.filter(({ metadata }) => names.some((name) => metadata.name?.startsWith(name) === true));
    if (found.length !== names.length * each)
      throw new Error(`${names.length} orders have ${found.length} objects of kind ${type.kind}`);
  }
  return client.get(orders, { namespace: ordersNamespace, name: names[0] ?? '' });
}

function addWork(
  { harness, operator, options, figures }: Trial,
  before: string,
  after: string,
  changes: number,
  cpu: number,
  serverCpu: number,
): void {
  const { orders: count } = options;
  const sent = since(requestsOf(before), requestsOf(after));
  const each = (name: string, value: number): void => figures.add('each order', name, '', value / count);
  each('requests', total(sent));
  each('of these read (GET)', counted(sent, 'GET'));
  each('of these create (POST)', counted(sent, 'POST'));
  each('of these patch or apply (PATCH)', counted(sent, 'PATCH'));
  each('changes of the order', changes);
  each('reconciles', reconciles(after) - reconciles(before));
  const ms = (seconds: number): number => (seconds * 1000) / count;
  figures.add('each order', 'processor time of the operator', 'ms', ms(operator.cpuSeconds() - cpu));
  figures.add('each order', 'processor time of the server', 'ms', ms(cpuSeconds(harness.processes) - serverCpu));
}

/** Resolves when the last order and all its objects are gone. */
export async function removeAll({ harness, operator, figures, section }: Trial): Promise<void> {
  const { client } = harness.server;
  const began = performance.now();
  await client.deleteCollection(orders, { namespace: ordersNamespace });
  await until('all orders are gone', 20, async () => {
    const { items } = await client.list(orders, { namespace: ordersNamespace, limit: 1 });
    return items.length === 0;
  });
  figures.add(section, 'from their deletion until the last was gone', 's', (performance.now() - began) / 1000);
  for (const [type] of children) {
    const { items } = await client.list(type, { namespace: tenantNamespace });
    if (items.length > 0)
      throw new Error(`all orders are gone, and ${items.length} objects of kind ${type.kind} are left`);
  }
  await quiet(operator);
}
