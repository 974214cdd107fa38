/**
 * `createMachineOperator` assembles the operator: the caches of the supervisor, the controllers, and what they share.
 */
import type { UrlFilter } from '@ssvirt/base/net/url-filter';
import type { Logger } from 'pino';
import type { Informers } from '@ssvirt/kube/informer/informers';
import type { Controller } from '@ssvirt/kube/controller/controller';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import { keyOf } from '@ssvirt/kube/object';
import { Applier } from '@ssvirt/kube/reconcile/apply-child';
import { giveUpRights } from '../../fleet/health/upgrade-rights.ts';
import { upgradeRights } from './children/secret-rights.ts';
import type { Subject } from '../../fleet/identity/account.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { memberCaches } from './caches.ts';
import { fieldManager, machines } from './machine-types.ts';
import { machineController } from './machine.ts';
import { MachineMetrics } from './status/metrics.ts';
import { networkStatusController } from './status/network-status.ts';
import { silenceOf, whyUnavailable, type MachineOperatorContext } from './operator.ts';
import { placementController } from './placement/placement.ts';
import { byCluster, bySecret, createSupervisor } from './supervisor.ts';

export interface MachineOperatorOptions {
  readonly fleet: Fleet;
  /** The uid of the supervisor's namespace kube-system. */
  readonly identity: string;
  readonly configsNamespace: string;
  readonly defaultConfig?: string | undefined;
  readonly concurrency: number;
  readonly resyncMs: number;
  readonly images: UrlFilter;
  readonly log: Logger;
  readonly metrics: Metrics;
}

export interface MachineOperator {
  readonly controllers: readonly Controller[];
  /** `Machine "team-a/web"` for each Machine on that cluster. While there are any, the KubevirtConfig is kept. */
  usersOf(cluster: string, signal: AbortSignal): Promise<readonly string[]>;
}

const subjectLifetimeMs = 60_000;

/** Asks each cluster once per lifetime. Concurrent callers share the answer; a failure is not remembered. */
function subjects(): MachineOperatorContext['subjectIn'] {
  const known = new WeakMap<Informers, { readonly subject: Promise<Subject>; readonly until: number }>();
  return ({ informers }, ask) => {
    const last = known.get(informers);
    if (last !== undefined && performance.now() < last.until) return last.subject;
    const asked = { subject: ask(), until: performance.now() + subjectLifetimeMs };
    known.set(informers, asked);
    asked.subject.catch(() => {
      if (known.get(informers) === asked) known.delete(informers);
    });
    return asked.subject;
  };
}

export function createMachineOperator(options: MachineOperatorOptions): MachineOperator {
  const { fleet, identity, configsNamespace, defaultConfig, concurrency, resyncMs, images, log, metrics } = options;
  const supervisor = createSupervisor({
    cluster: fleet.local,
    identity,
    configsNamespace,
    resyncMs,
    secretChanged(key) {
      for (const { metadata, status } of supervisor.machines.byIndex(bySecret, keyOf(key)))
        if (status?.kubevirtConfigRef !== undefined)
          machine.enqueue({
            cluster: status.kubevirtConfigRef,
            namespace: metadata.namespace ?? '',
            name: metadata.name ?? '',
          });
    },
  });
  const caches = memberCaches(identity);
  const operator: MachineOperatorContext = {
    fleet,
    supervisor,
    configsNamespace,
    defaultConfig,
    concurrency,
    images,
    instruments: { log, metrics },
    metrics: new MachineMetrics(metrics.registry, {
      *machines() {
        for (const { status, spec } of supervisor.machines.list())
          yield { phase: status?.phase ?? 'Pending', template: spec.template ?? spec.instanceType ?? '' };
      },
      *virtualMachines() {
        for (const cluster of fleet.clusters())
          for (const { facts } of caches(cluster).vms.list()) yield facts.printableStatus ?? 'Unknown';
      },
    }),
    applier: new Applier({ fieldManager }),
    subjectIn: subjects(),
    caches,
    event(object, type, reason, message) {
      fleet.local.recorder.event(
        { ...object, apiVersion: `${machines.group}/${machines.version}`, kind: machines.kind },
        type,
        reason,
        message,
      );
    },
    silence: (cluster) => silenceOf(fleet, cluster),
    whyUnavailable: (cluster) => whyUnavailable(fleet, cluster),
  };
  supervisor.machines.addHandler({
    name: 'namespaces of machines',
    added: () => undefined,
    updated: () => undefined,
    deleted({ metadata: { namespace = '' } }) {
      for (const cluster of fleet.clusters()) {
        const isUsed = supervisor.machines
          .byIndex(byCluster, cluster.name)
          .some(({ metadata }) => metadata.namespace === namespace);
        if (!isUsed) caches(cluster).secrets.release(namespace);
      }
    },
  });
  const machine = machineController(operator);
  const placement = placementController(operator);
  const networks = networkStatusController(operator);
  placement.controller.engage(fleet.local);
  networks.engage(fleet.local);
  fleet.serve(machine);
  fleet.serve({ engage: (cluster) => void giveUpRights(upgradeRights(operator, cluster), cluster.signal) });
  fleet.serve({ engage: ({ name }) => placement.memberChanged(name) });
  fleet.onDisengage(({ name }) => placement.memberChanged(name));
  return {
    controllers: [placement.controller, machine, networks],
    async usersOf(cluster, signal) {
      // Before the cache is filled, an empty list would release the KubevirtConfig too early.
      await supervisor.machines.synced(signal);
      const users = supervisor.machines.byIndex(byCluster, cluster);
      return users.map(({ metadata }) => `Machine "${keyOf(metadata)}"`);
    },
  };
}
