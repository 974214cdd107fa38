/** The process: one cluster, one controller, on the leader only. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { cachesReady } from '../../../src/kube/informer/ready.ts';
import { connectCluster } from '../../../src/kube/connect-cluster.ts';
import { errorFields } from '../../../src/kube/error-fields.ts';
import { loadKubeconfig } from '../../../src/kube/kubeconfig/load.ts';
import { createElector } from '../../../src/kube/leader-election/elector.ts';
import { createManager } from '../../../src/kube/manager/manager.ts';
import { runUntilSignal } from '../../../src/kube/manager/run-until-signal.ts';
import { createMetrics } from '../../../src/kube/metrics/metrics.ts';
import { greetingController } from './greeting.ts';

const log = pino({ level: 'info', serializers: { err: errorFields } });
const metrics = createMetrics(new Registry());

await runUntilSignal(
  async (signal) => {
    const cluster = connectCluster({
      name: 'local',
      source: await loadKubeconfig(),
      component: 'greeting-controller',
      log,
      metrics,
    });
    const controller = greetingController({ log, metrics });
    controller.engage(cluster);
    const election = { client: cluster.client, namespace: 'default', name: 'greeting-controller' };
    const at = { port: Number(process.env['PORT'] ?? 8081) };
    const elector = createElector({ ...election, log, metrics });
    const manager = createManager({ log, metrics, elector, health: at, metricsAt: at });
    manager.addReadyCheck('caches', cachesReady(cluster.informers));
    manager.add(controller);
    await manager.run(signal);
    await cluster.close();
  },
  { log },
);
