/**
 * The Machines and orders of the own cluster, which is the supervisor, kept by watch. Of each object only the fields that
 * are shown are kept: a Machine may contain passwords in its cloud-init data.
 */
import { findCondition, isConditionTrue, type Condition } from '@ssvirt/kube/reconcile/conditions';
import { sleep, systemClock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { Runnable, RunContext } from '@ssvirt/kube/manager/runnable';
import type { Unstructured } from '@ssvirt/kube/object';
import type { MachineEntry, OrderEntry, SupervisorListing, SupervisorSource } from '../../api/supervisor/source.ts';
import { KindWatch, wholeCluster } from '../../controllers/catalog/kind-watch.ts';
import { keeping, type SoughtKind } from '../../controllers/catalog/sought-kinds.ts';
import * as machine from '../../kubevirt/machine/resource.ts';
import * as order from '../../kubevirt/order/resource.ts';

const soughtMachines: SoughtKind<MachineEntry> = {
  kind: 'Machine',
  apiVersions: [`${machine.group}/${machine.version}`],
  resource: `machines.${machine.group}`,
  projection: keeping(machineEntry),
};

const soughtOrders: SoughtKind<OrderEntry> = {
  kind: order.kind,
  apiVersions: [`${order.group}/${order.version}`],
  resource: `virtualmachines.${order.group}`,
  projection: keeping(orderEntry),
};

export interface SupervisorTimes {
  /** Between two looks at the state of the watches. */
  readonly lookMs: number;
  /** Between two attempts to find a kind that is not served. */
  readonly lookAgainMs: number;
}

const defaultTimes: SupervisorTimes = { lookMs: 1000, lookAgainMs: 60_000 };

export class SupervisorObjects implements SupervisorSource, Runnable {
  readonly name = 'supervisor-objects';
  /** Every replica answers requests. */
  readonly needsLeadership = false;
  readonly #times: SupervisorTimes;
  readonly #machines: KindWatch<MachineEntry>;
  readonly #orders: KindWatch<OrderEntry>;

  constructor(cluster: Cluster, times: Partial<SupervisorTimes> = {}) {
    this.#times = { ...defaultTimes, ...times };
    const { lookAgainMs } = this.#times;
    const changed = (): void => undefined;
    const shared = { cluster, namespaces: wholeCluster, changed, clock: systemClock, lookAgainMs };
    this.#machines = new KindWatch({ ...shared, sought: soughtMachines });
    this.#orders = new KindWatch({ ...shared, sought: soughtOrders });
  }

  machines(): SupervisorListing<MachineEntry> {
    return listingOf(this.#machines);
  }

  orders(): SupervisorListing<OrderEntry> {
    return listingOf(this.#orders);
  }

  async run({ signal }: RunContext): Promise<void> {
    const kinds = [this.#machines, this.#orders];
    while (!signal.aborted) {
      await Promise.all(kinds.map((kind) => kind.look(signal)));
      await sleep(systemClock, this.#times.lookMs, signal);
    }
    for (const kind of kinds) kind.close();
  }
}

function listingOf<T>(kind: KindWatch<T>): SupervisorListing<T> {
  const { settled, current, failingSince, forbidden } = kind.reading();
  const { resource } = kind;
  if (forbidden.length > 0)
    return { unavailable: `the API server may not list ${resource}; apply deploy/rbac/api-server.yaml` };
  if (!settled) return { unavailable: `the API server has not read ${resource} yet` };
  if (!current && failingSince === undefined)
    return { unavailable: `the supervisor does not serve ${resource}; apply deploy/crds/${resource}.yaml` };
  return { entries: [...kind.entries()], stale: !current };
}

interface Reported<Facts> extends Unstructured {
  readonly status?: Facts & { readonly conditions?: readonly Condition[] };
}

type Common = Pick<MachineEntry, 'namespace' | 'name' | 'createdAt' | 'isBeingDeleted'>;

function commonOf({ metadata }: Unstructured): Common {
  const { namespace = '', name = '', creationTimestamp = '', deletionTimestamp } = metadata;
  return { namespace, name, createdAt: creationTimestamp, isBeingDeleted: deletionTimestamp !== undefined };
}

function machineEntry(object: unknown): MachineEntry {
  const found = object as Reported<machine.MachineFacts>;
  const { phase, kubevirtConfigRef, vmName, nodeName, ipAddresses = [], conditions } = found.status ?? {};
  const ready = findCondition(conditions, machine.conditions.ready);
  return {
    ...commonOf(found),
    phase: phase ?? null,
    isReady: isTrue(ready),
    reason: ready?.reason ?? null,
    message: ready?.message ?? null,
    restartRequired: isConditionTrue(conditions, machine.conditions.restartRequired),
    cluster: kubevirtConfigRef ?? null,
    vmName: vmName ?? null,
    nodeName: nodeName ?? null,
    ipAddresses,
  };
}

function orderEntry(object: unknown): OrderEntry {
  const found = object as Reported<order.OrderFacts> & { readonly spec: order.OrderSpec };
  const {
    phase,
    provisionedBy,
    virtualMachineReference: vm,
    ipAddresses = [],
    conditions,
    ...rest
  } = found.status ?? {};
  const progressing = findCondition(conditions, order.conditions.progressing);
  return {
    ...commonOf(found),
    templateId: found.spec.templateID,
    phase: phase ?? null,
    provisionedBy: provisionedBy ?? null,
    isAvailable: isTrue(findCondition(conditions, order.conditions.available)),
    reason: progressing?.reason ?? null,
    message: progressing?.message ?? null,
    desiredConfigVersion: rest.desiredConfigVersion ?? null,
    reconciledConfigVersion: rest.reconciledConfigVersion ?? null,
    vmNamespace: vm?.namespace ?? null,
    vmName: vm?.kubeVirtVirtualMachineName ?? null,
    ipAddresses,
  };
}

/** Null if there is no such condition. */
function isTrue(condition: Condition | undefined): boolean | null {
  return condition === undefined ? null : condition.status === 'True';
}
