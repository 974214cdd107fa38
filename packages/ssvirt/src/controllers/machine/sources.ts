/** What wakes a Machine in its cluster: the Machine itself, its children there, and what it refers to. */
import { enqueueMapped, type ChangeHandler, type Target } from '@ssvirt/kube/controller/handlers';
import type { Predicate } from '@ssvirt/kube/controller/predicates';
import { watches } from '@ssvirt/kube/controller/sources';
import type { Source } from '@ssvirt/kube/controller/source';
import type { Projected } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import { keyOf, keyOfObject, type KubeObject } from '@ssvirt/kube/object';
import { isConditionTrue } from '@ssvirt/kube/reconcile/conditions';
import { parentOf } from '@ssvirt/kube/reconcile/owners';
import type { KubevirtConfig } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { existingClaims } from '../../fleet/placement/claim-users.ts';
import { conditions } from '../../kubevirt/machine/resource.ts';
import { foreignSource } from '../../kubevirt/machine/storage.ts';
import type { ProjectedClaim, MachineInstance, MachineVm } from './projections.ts';
import { machines, type Machine } from './machine-types.ts';
import type { MachineOperatorContext } from './operator.ts';
import { byCluster, byExistingClaim, byMac, byNetwork, macsOf } from './supervisor.ts';

export function sourcesOf(operator: MachineOperatorContext, cluster: Cluster): readonly Source[] {
  const { supervisor } = operator;
  const caches = operator.caches(cluster);
  const here = (machine: Machine): boolean => machine.status?.kubevirtConfigRef === cluster.name;
  const all = (): readonly Machine[] => supervisor.machines.byIndex(byCluster, cluster.name);
  const keysOf = (those: readonly Machine[]): readonly Target[] => those.filter(here).map(keyOfObject);
  /** Machines that may be waiting for the changed object. */
  const unready = (concerns: (machine: Machine) => boolean = () => true): readonly Target[] =>
    keysOf(all().filter((one) => concerns(one) && !isConditionTrue(one.status?.conditions, conditions.ready)));
  const within =
    (namespace: string | undefined) =>
    ({ metadata }: Machine): boolean =>
      metadata.namespace === namespace;
  const parent = (object: Projected): readonly Target[] => {
    const key = parentOf(object, machines);
    return key === undefined ? [] : [key];
  };
  /** A deletion frees a name, so it also wakes the Machines that could not use it. */
  const freeing = <P extends Projected>(next: ChangeHandler<P>): ChangeHandler<P> =>
    function* (change, from) {
      yield* next(change, from);
      if (change.type === 'deleted') yield* unready(within(change.object.metadata.namespace));
    };
  /** An instance without our labels is found by the VM of the same name. */
  const ofInstance = (object: KubeObject): readonly Target[] => {
    const own = parent(object);
    const vm = own.length > 0 ? undefined : caches.vms.get(keyOfObject(object));
    return vm === undefined ? own : parent(vm);
  };
  /** A claim that stops being a volume is free for the Machines that name it. */
  const releasing = <P extends MachineVm | MachineInstance>(next: ChangeHandler<P>): ChangeHandler<P> =>
    function* (change, from) {
      yield* next(change, from);
      if (change.type === 'created') return;
      const [had, has] = change.type === 'updated' ? [change.before, change.object.claims] : [change.object, []];
      const { namespace = '' } = had.metadata;
      for (const name of had.claims)
        if (!has.includes(name))
          yield* keysOf(supervisor.machines.byIndex(byExistingClaim, keyOf({ namespace, name })));
    };
  return [
    watches(supervisor.machines, machineItself(operator, here)),
    watches(caches.vms, releasing(enqueueMapped(parent))),
    watches(caches.instances, releasing(enqueueMapped(ofInstance))),
    watches(caches.claims, provisioning(operator, freeing(enqueueMapped(parent)))),
    caches.secrets.source({
      handler: enqueueMapped(parent),
      opened: (namespace) => keysOf(all().filter(within(namespace))),
    }),
    ...(caches.roleBindings === undefined
      ? []
      : [
          watches(
            caches.roleBindings,
            enqueueMapped(({ metadata }: Projected) => keysOf(all().filter(within(metadata.namespace)))),
          ),
        ]),
    caches.dataVolumes.source(freeing(enqueueMapped(parent))),
    caches.attachments.source(
      enqueueMapped(({ metadata }: KubeObject) =>
        keysOf(
          all().filter((one) => one.metadata.namespace === metadata.namespace && (one.spec.networks ?? []).length > 0),
        ),
      ),
    ),
    watches(
      caches.classes,
      enqueueMapped(() => unready()),
    ),
    watches(
      caches.namespaces,
      enqueueMapped(({ metadata: { name } }: Projected) =>
        unready((one) => within(name)(one) || copiesFrom(name, one)),
      ),
    ),
    watches(
      supervisor.networks,
      enqueueMapped((network: KubeObject) => keysOf(supervisor.machines.byIndex(byNetwork, keyOf(network.metadata)))),
    ),
    watches(
      supervisor.configs,
      enqueueMapped(({ metadata }: KubevirtConfig) => (metadata.name === cluster.name ? keysOf(all()) : [])),
      phaseChanged,
    ),
  ];
}

/** Whether a disk of the Machine copies from that namespace, which may only now allow it. */
function copiesFrom(name: string | undefined, { metadata: { namespace = '' }, spec }: Machine): boolean {
  return name !== undefined && (spec.disks ?? []).some((disk) => foreignSource({ namespace }, disk) === name);
}

/** Also wakes the Machines that wait for one of its MAC addresses, or for a claim that it names. */
function machineItself(operator: MachineOperatorContext, here: (machine: Machine) => boolean): ChangeHandler<Machine> {
  return function* (change) {
    const { object } = change;
    if (here(object)) yield keyOfObject(object);
    if (change.type === 'updated' && change.resync) return;
    const before = change.type === 'updated' ? change.before : object;
    const { namespace = '' } = object.metadata;
    const others = [
      ...macsOf(before).flatMap((address) => operator.supervisor.machines.byIndex(byMac, address)),
      ...existingClaims(before).flatMap((name) =>
        operator.supervisor.machines.byIndex(byExistingClaim, keyOf({ namespace, name })),
      ),
    ];
    for (const other of others) if (here(other)) yield keyOfObject(other);
  };
}

/** Also measures how long a PersistentVolumeClaim took to be bound. */
function provisioning(operator: MachineOperatorContext, next: ChangeHandler<Projected>): ChangeHandler<ProjectedClaim> {
  return function* (change, cluster) {
    if (change.type === 'updated' && change.before.status.phase !== 'Bound' && change.object.status.phase === 'Bound') {
      const { metadata, spec } = change.object;
      const seconds = (Date.now() - Date.parse(metadata.creationTimestamp ?? '')) / 1000;
      const { storageClassName } = spec;
      if (seconds >= 0)
        operator.metrics.provisioned(typeof storageClassName === 'string' ? storageClassName : '', seconds);
    }
    yield* next(change, cluster);
  };
}

const phaseChanged: Predicate<KubevirtConfig> = (change) =>
  change.type !== 'updated' ||
  change.before.status?.phase !== change.object.status?.phase ||
  change.before.status?.status !== change.object.status?.status;
