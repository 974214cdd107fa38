/** The process: one cluster, one controller, on the leader only. */
import { pino } from 'pino';
import { Registry } from 'prom-client';
import {
  cachesReady,
  connectCluster,
  createElector,
  createManager,
  createMetrics,
  errorFields,
  loadKubeconfig,
  runUntilSignal,
} from '@ssvirt/kube';
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
