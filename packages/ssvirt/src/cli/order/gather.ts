/** Reads everything that explains an order from a cluster. What the user may not read is omitted and reported. */
import { defined } from '@ssvirt/base/values/defined';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import { apiVersionOf } from '@ssvirt/kube/resource-type';
import { dataVolumeFacts } from '../../kubevirt/facts/data-volume.ts';
import { fields, known, text } from '../../kubevirt/facts/reading.ts';
import { vmFacts } from '../../kubevirt/facts/vm.ts';
import { vmiFacts } from '../../kubevirt/facts/vmi.ts';
import { childNames } from '../../kubevirt/order/child-names.ts';
import { canBeLabel } from '../../kubevirt/order/names.ts';
import { isOwn, mayTake } from '../../kubevirt/order/identity.ts';
import { machineState } from '../../kubevirt/order/machine-state.ts';
import { isMachineReady } from '../../kubevirt/order/observation.ts';
import { readParameters } from '../../kubevirt/order/parameters/parameters.ts';
import { labels } from '../../kubevirt/order/resource.ts';
import { tenantOf } from '../../kubevirt/order/tenant.ts';
import { observeMachine } from '../../kubevirt/status/observe.ts';
import { seenObject } from '../cluster/child.ts';
import { eventsOf, type EventQuestion } from '../cluster/events.ts';
import { leaderOf } from '../cluster/leader.ts';
import { ClusterReader, type ClusterReaderOptions } from '../cluster/cluster-reader.ts';
import { nearby } from '../cluster/nearby.ts';
import { customTemplate, judge, type Judging } from './check-order.ts';
import { claims, configMaps, dataVolumes, instances, secrets, services, virtualMachines } from '../../fleet/kinds.ts';
import { identityOf, orders, type ShownOrder } from './shown-order.ts';
import type { OrderCase, SeenOrderChild, SeenDisk, SeenMachine } from './order-case.ts';
import type { OrderSettings } from './settings.ts';
import { orderContextOf, type ExistingObjects } from './context.ts';

export interface OrderQuestion {
  readonly namespace: string;
  readonly name: string;
  readonly settings: OrderSettings;
}

const leaseName = 'ssvirt-cloudkit-operator';

export async function gather(
  asking: ClusterReaderOptions,
  { namespace, name, settings }: OrderQuestion,
): Promise<OrderCase> {
  const look = new ClusterReader(asking);
  const now = Date.now();
  const order = await look.at(orders, { namespace, name });
  if (order === undefined && look.unread.size === 0)
    return {
      namespace,
      name,
      now,
      near: await nearby(asking, orders, namespace, name),
      children: [],
      events: [],
      unread: [],
    };
  if (order === undefined) return { namespace, name, now, children: [], events: [], unread: [...look.unread] };
  const context = await orderContextOf(asking, order);
  const judging: Judging = { settings, templates: [], context };
  const children = await childrenOf(look, order, judging);
  const leader = await leaderOf(look, 'ssvirt-system', leaseName);
  const events = await eventsOf(look, asking, happenedTo(order, children));
  const unread = [...new Set([...look.unread, ...context.unread])];
  return {
    namespace,
    name,
    now,
    order,
    tenantNamespace: tenantOf(order),
    tenant: context.tenant,
    judged: judge(order, judging),
    children,
    ...machineOf(order, await machineStanding(look, order, context.standing, children)),
    events,
    ...defined({ leader }),
    unread: unread.toSorted(),
  };
}

/** The objects of the built-in template by their names, and all others with the order's label. */
async function childrenOf(
  look: ClusterReader,
  order: ShownOrder,
  judging: Judging,
): Promise<readonly SeenOrderChild[]> {
  const standing: ExistingObjects = judging.context?.standing ?? {};
  const { name = '' } = order.metadata;
  const names = childNames({ name });
  const read = readParameters(order.spec.templateParameters);
  const hasKey =
    ('parameters' in read && read.parameters.sshPublicKey !== undefined) || standing.sshKeySecret !== undefined;
  const isCustom = customTemplate(order.spec.templateID, judging) !== undefined;
  const usual: readonly (readonly [string, string, Unstructured | undefined])[] = [
    ['Secret', names.cloudInitSecret, standing.cloudInitSecret],
    ...(hasKey ? [['Secret', names.sshKeySecret, standing.sshKeySecret] as const] : []),
    ['DataVolume', names.dataVolume, standing.dataVolume],
    ['PersistentVolumeClaim', names.dataVolume, standing.claim],
    ['VirtualMachine', names.vm, standing.vm],
    ['VirtualMachineInstance', names.vm, standing.instance],
    ['Service', names.service, standing.service],
  ];
  const seen = usual
    .filter(([, , object]) => !isCustom || object !== undefined)
    .map(([kind, childName, object]) => seenChild(order, kind, childName, object));
  if (!canBeLabel(name)) return seen;
  for (const type of [secrets, configMaps, services, claims, dataVolumes, virtualMachines])
    for (const label of [labels.order, labels.instance]) {
      const found = await look.labelled(type, tenantOf(order), `${label}=${name}`);
      for (const object of found) {
        const isKnown = seen.some((one) => one.kind === type.kind && one.name === object.metadata.name);
        if (!isKnown) seen.push(seenChild(order, type.kind, object.metadata.name ?? '', object));
      }
    }
  return seen;
}

function seenChild(order: ShownOrder, kind: string, name: string, object: KubeObject | undefined): SeenOrderChild {
  const seen = seenObject(kind, name, object);
  return object === undefined ? seen : { ...seen, whose: whoseIs(order, object) };
}

function whoseIs(order: ShownOrder, object: KubeObject): NonNullable<SeenOrderChild['whose']> {
  const identity = identityOf(order);
  if (isOwn(identity, object)) return "the order's";
  return mayTake(identity, 'aap', object) ? "AAP's" : "another's";
}

/** A custom template may use other names for its VM and disks. */
async function machineStanding(
  look: ClusterReader,
  order: ShownOrder,
  standing: ExistingObjects,
  children: readonly SeenOrderChild[],
): Promise<ExistingObjects> {
  const namespace = tenantOf(order);
  const name = order.status?.virtualMachineReference?.kubeVirtVirtualMachineName ?? order.metadata.name ?? '';
  const isOther = name !== order.metadata.name;
  const disk = children.find(({ kind, state }) => kind === dataVolumes.kind && state !== 'absent')?.name;
  const isOtherDisk = disk !== undefined && standing.dataVolume === undefined;
  return {
    ...standing,
    ...(isOther
      ? {
          vm: await look.at(virtualMachines, { namespace, name }),
          instance: await look.at(instances, { namespace, name }),
        }
      : {}),
    ...(isOtherDisk
      ? {
          dataVolume: await look.at(dataVolumes, { namespace, name: disk }),
          claim: await look.at(claims, { namespace, name: disk }),
        }
      : {}),
  };
}

function machineOf(
  order: ShownOrder,
  { vm, instance, dataVolume, claim }: ExistingObjects,
): Pick<OrderCase, 'machine' | 'disk'> {
  const { name = '', deletionTimestamp } = order.metadata;
  const disk = dataVolume === undefined ? undefined : dataVolumeFacts(dataVolume);
  const vmi = instance === undefined ? undefined : vmiFacts(instance);
  // There is no history of observations, so any problem counts as old.
  const observation =
    vm === undefined
      ? undefined
      : observeMachine(
          { vm: vmFacts(vm), vmi, dataVolumes: disk === undefined ? [] : [disk] },
          () => Number.MAX_SAFE_INTEGER,
        );
  const vmReady = isMachineReady(vm);
  const state = machineState({
    name,
    tenantNamespace: tenantOf(order),
    deleting: deletionTimestamp !== undefined,
    children: [],
    vmReady,
    dataVolume: disk,
    observation,
  });
  const seenDisk = known<SeenDisk>({
    phase: disk?.phase,
    progress: text(fields(dataVolume?.['status'])['progress'], 16),
    restarts: disk?.restarts,
    claim: text(fields(claim?.['status'])['phase'], 64),
  });
  const machine: SeenMachine = {
    printableStatus: text(fields(vm?.['status'])['printableStatus'], 64),
    ready: vmReady,
    phase: vmi?.phase,
    node: vmi?.node,
    addresses: vmi?.ipAddresses ?? [],
    state,
  };
  return { machine, ...(Object.keys(seenDisk).length === 0 ? {} : { disk: seenDisk }) };
}

/** Events of the order and of all its children. */
function happenedTo(order: ShownOrder, children: readonly SeenOrderChild[]): EventQuestion {
  const { name = '', namespace = '' } = order.metadata;
  const tenant = tenantOf(order);
  return {
    about: [{ namespace, name }, ...children.map((child) => ({ namespace: tenant, name: child.name }))],
    kinds: new Set<string>([orders.kind, instances.kind, ...children.map(({ kind }) => kind)]),
    // KubeVirt has a kind of the same name.
    word: (apiVersion, kind) => (apiVersion === apiVersionOf(orders) ? 'Order' : kind),
  };
}
