/** The process `ssvirt machine-operator`: the supervisor, the fleet, the election, and the controllers. */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import type { Config } from '@ssvirt/base/config/keys';
import type { ConnectedCluster } from '@ssvirt/kube/connect-cluster';
import { createElector } from '@ssvirt/kube/leader-election/elector';
import { createManager } from '@ssvirt/kube/manager/manager';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import { createProcessMetrics } from '../../fleet/health/process-metrics.ts';
import { requestIdentity } from '../../fleet/identity/identity-request.ts';
import { holders } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import { createReportedFleet } from '../../fleet/kubevirtconfig/reported-fleet.ts';
import { startUpChecks } from '../../fleet/health/start-up-checks.ts';
import { holderIdentity, servingAt, withOwnCluster, type ProcessTimes } from '../../fleet/identity/with-own-cluster.ts';
import { imageFilter } from '../image-filter.ts';
import { createMachineOperator, type MachineOperator } from '../../controllers/machine/create-operator.ts';

/** The names of the Lease and of the event source. */
const leaseName = 'ssvirt-machine-operator';
const component = 'ssvirt-machine-operator';

export type MachineOperatorConfig = Pick<Config, 'operator' | 'images'>;

export async function runMachineOperator(
  { operator, images }: MachineOperatorConfig,
  log: Logger,
  signal: AbortSignal,
  times: ProcessTimes = {},
): Promise<void> {
  const metrics = createProcessMetrics();
  const { kubeconfig, context } = operator;
  const { reflector } = times;
  await withOwnCluster(
    { kubeconfig, context, component, log, metrics, reflector, health: operator.healthAddr },
    signal,
    (local, until) => runManager({ operator, images }, { local, log, metrics, times }, until),
  );
}

interface OperatorContext {
  readonly local: ConnectedCluster;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly times: ProcessTimes;
}

async function runManager(
  { operator, images }: MachineOperatorConfig,
  { local, log, metrics, times }: OperatorContext,
  signal: AbortSignal,
): Promise<void> {
  // The supervisor has just answered.
  const identity = await requestIdentity(local.client, { timeoutMs: 30_000, signal });
  const elector = operator.leaderElection
    ? createElector({
        client: local.bare,
        namespace: operator.namespace,
        name: leaseName,
        identity: holderIdentity(),
        log,
        metrics,
        ...times.election,
      })
    : undefined;
  const { fleet, reporter } = createReportedFleet({
    local,
    namespace: operator.kubevirtConfigsNamespace,
    component,
    log,
    metrics,
    times,
    holder: holders.machines,
    defaultConfig: operator.defaultKubevirtConfig,
    inUse: (name, until) => machineOperator.usersOf(name, until),
  });
  const machineOperator: MachineOperator = createMachineOperator({
    fleet,
    identity,
    configsNamespace: operator.kubevirtConfigsNamespace,
    defaultConfig: operator.defaultKubevirtConfig,
    concurrency: operator.maxConcurrentReconciles,
    resyncMs: operator.reconcileInterval,
    images: imageFilter(images),
    log,
    metrics,
  });
  const manager = createManager({
    log,
    metrics,
    ...defined({ elector }),
    ...(await servingAt(operator, local.bare)),
  });
  manager.add(fleet);
  for (const controller of machineOperator.controllers) manager.add(controller);
  manager.add(reporter);
  manager.add(startUpChecks({ fleet, namespace: operator.kubevirtConfigsNamespace, log }));
  await manager.run(signal);
}
