/** The example controller of docs/contributor/controllers.md inside this process, where its requests can be counted. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { connectCluster } from '../../../packages/kube/src/connect-cluster.ts';
import { createMetrics, type Metrics } from '../../../packages/kube/src/metrics/metrics.ts';
import { isConditionTrue } from '../../../packages/kube/src/reconcile/conditions.ts';
import type { RuntimeCase } from '../case.ts';
import { greetingController } from '../example/greeting.ts';
import { configMaps, greetings } from '../example/kinds.ts';
import type { Harness } from '../harness.ts';
import { isStream } from '../seen-request.ts';
import { until } from '../until.ts';

const definition = new URL('../example/greetings.crd.yaml', import.meta.url);
const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function installGreetings({ http }: Harness): Promise<void> {
  const body = parse(readFileSync(definition, 'utf8')) as never;
  const { status } = await http.send({ method: 'POST', path, body });
  assert.equal(status, 201);
  const list = { method: 'GET', path: '/apis/example.ssvirt.io/v1/greetings' };
  await until('greetings are served', async () => (await http.send(list)).status === 200);
}

async function rounds({ reconcile }: Metrics): Promise<number> {
  const { values } = await reconcile.total.get();
  return values.reduce((total, { value }) => total + value, 0);
}

export const idleCases: readonly RuntimeCase[] = [
  {
    id: 'apply of children',
    name: 'a controller that is called again where nothing differs makes no request, also after a restart',
    async run(harness) {
      await installGreetings(harness);
      const namespace = await harness.namespace('idle');
      const key = { namespace, name: 'one' };
      await harness.direct.create(greetings, { metadata: key, spec: { to: 'world' } });

      /**
       * Runs the controller until the Greeting is settled and was reconciled five more times. Returns the controller's
       * requests, without watches.
       */
      const work = async (): Promise<readonly string[]> => {
        const proxy = await harness.newProxy();
        const metrics = createMetrics(new Registry());
        const log = pino({ level: 'silent' });
        const source = harness.credential(proxy);
        const cluster = connectCluster({ name: 'harness', source, component: 'greeting-controller', log, metrics });
        const controller = greetingController({ log, metrics });
        controller.engage(cluster);
        const running = controller.run({ signal: cluster.signal });
        await until('it is settled', async () => {
          const { status } = await harness.direct.get(greetings, key);
          return isConditionTrue(status?.conditions, 'Ready') && (await rounds(metrics)) > 0;
        });
        for (let time = 0; time < 5; time++) {
          // The change affects no managed field: it wakes the reconciler, which has nothing to do.
          const body = { metadata: { annotations: { time: `${time}` } } };
          const before = await rounds(metrics);
          if (time % 2 === 0) await harness.direct.patch(greetings, key, { type: 'merge', body });
          else await harness.direct.patch(configMaps, key, { type: 'merge', body });
          await until('it was looked at', async () => (await rounds(metrics)) > before);
        }
        await cluster.close();
        await running;
        const asked = proxy.requests((request) => !isStream(request) && request.verb !== 'list');
        await proxy.stop();
        return asked
          .map(({ request }) => `${request.verb} ${[request.resource, request.subresource].filter(Boolean).join('/')}`)
          .sort();
      };

      assert.deepEqual(await work(), [
        'create events',
        'get configmaps',
        'patch configmaps',
        'patch greetings',
        'patch greetings/status',
      ]);
      assert.deepEqual(await work(), [], 'after a restart');
    },
  },
];
