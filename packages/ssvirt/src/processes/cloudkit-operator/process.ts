/** The process `ssvirt cloudkit-operator`: its own cluster, the election, and the controllers. */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import type { Config } from '@ssvirt/base/config/keys';
import { createElector } from '@ssvirt/kube/leader-election/elector';
import { createManager } from '@ssvirt/kube/manager/manager';
import { createProcessMetrics } from '../../fleet/health/process-metrics.ts';
import { holderIdentity, servingAt, withOwnCluster, type ProcessTimes } from '../../fleet/identity/with-own-cluster.ts';
import { imageFilter } from '../image-filter.ts';
import { createCloudkitOperator } from '../../controllers/cloudkit/operator/create-operator.ts';

/** The names of the Lease and of the event source. */
const leaseName = 'ssvirt-cloudkit-operator';
const component = 'ssvirt-cloudkit-operator';

export type CloudkitOperatorConfig = Pick<Config, 'cloudkit' | 'images'>;

export async function runCloudkitOperator(
  { cloudkit: config, images }: CloudkitOperatorConfig,
  log: Logger,
  signal: AbortSignal,
  times: Pick<ProcessTimes, 'election' | 'reflector'> = {},
): Promise<void> {
  const metrics = createProcessMetrics();
  const { kubeconfig, context } = config;
  const { reflector } = times;
  await withOwnCluster(
    { kubeconfig, context, component, log, metrics, reflector, health: config.healthAddr },
    signal,
    async (local, until) => {
      const elector = config.leaderElection
        ? createElector({
            client: local.bare,
            namespace: config.namespace,
            name: leaseName,
            identity: holderIdentity(),
            log,
            metrics,
            ...times.election,
          })
        : undefined;
      const manager = createManager({
        log,
        metrics,
        ...defined({ elector }),
        ...(await servingAt(config, local.bare)),
      });
      const { controllers } = createCloudkitOperator({
        cluster: local,
        config,
        images: imageFilter(images),
        log,
        metrics,
      });
      for (const controller of controllers) manager.add(controller);
      await manager.run(until);
    },
  );
}
