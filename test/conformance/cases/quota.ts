import { isDeepStrictEqual } from 'node:util';
import { configMap, configMaps, core, pod } from '../builders.ts';
import type { HttpAnswer } from '../http.ts';
import { kase } from '../kase.ts';
import { at } from '../script.ts';
import type { Case, Script } from '../script.ts';
import type { JsonObject } from '../../../packages/sandbox/src/values/json.ts';

/** Waits until the controller has counted a quota for the first time. */
const settled = (path: string, t: Script): Promise<HttpAnswer> =>
  t.eventually(
    path,
    (answer) =>
      JSON.stringify(at(answer, 'status', 'hard')) === JSON.stringify(at(answer, 'spec', 'hard')) &&
      at(answer, 'status', 'used') !== undefined,
  );

/**
 * Waits until admission and the quota controller have seen all earlier requests, and the controller counts `used`. Both
 * use caches that lag a moment behind. Until then admission charges nothing for a quota whose status it does not know,
 * and the controller counts too little, or does not write a count that its old copy of the quota already has. Another
 * quota shows when both have caught up, because it is the last object that they see: its status is the controller's
 * count, and it refuses leases for as long as admission knows it.
 */
async function caughtUp(t: Script, ns: string, used: JsonObject = {}): Promise<void> {
  const hard = { ...used, 'count/leases.coordination.k8s.io': '0' };
  const lease = {
    method: 'POST',
    path: `/apis/coordination.k8s.io/v1/namespaces/${ns}/leases?dryRun=All`,
    body: { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'probe' } },
  };
  for (let round = 1; round <= 100; round++) {
    const name = `caught-up-${round}`;
    const path = `${core(ns, 'resourcequotas')}/${name}`;
    await t.quiet.post(core(ns, 'resourcequotas'), {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name },
      spec: { hard },
    });
    const counted = await settled(path, t);
    await t.eventually(lease, ({ status }) => status === 403);
    await t.quiet.delete(path);
    await t.eventually(lease, ({ status }) => status === 201);
    if (isDeepStrictEqual(at(counted, 'status', 'used'), hard)) return;
  }
  throw new Error(`the quota controller does not count ${JSON.stringify(used)} in ${ns}`);
}

async function quota(t: Script, ns: string, hard: JsonObject, name = 'q', rest: JsonObject = {}): Promise<void> {
  await t.quiet.post(core(ns, 'resourcequotas'), {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name },
    spec: { hard, ...rest },
  });
  await settled(`${core(ns, 'resourcequotas')}/${name}`, t);
  await caughtUp(t, ns);
}

const sized = (name: string, resources: JsonObject, rest: JsonObject = {}): JsonObject =>
  pod(name, { containers: [{ name: 'c', image: 'i', resources }], ...rest });

export const quotas: Case[] = [
  kase('ResourceQuota: counts of objects', async (t) => {
    const ns = await t.namespace();
    await caughtUp(t, ns, { configmaps: '1' }); // kube-root-ca.crt
    await quota(t, ns, { 'count/secrets': '1', configmaps: '2' });
    await t.get(`${core(ns, 'resourcequotas')}/q`);
    await t.post(configMaps(ns), configMap('a'));
    await t.post(configMaps(ns), configMap('b'));
    await t.post(core(ns, 'secrets'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } });
    await t.post(core(ns, 'secrets'), { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'b' } });
    await t.until(
      `${core(ns, 'resourcequotas')}/q`,
      (answer) =>
        at(answer, 'status', 'used', 'configmaps') === '2' && at(answer, 'status', 'used', 'count/secrets') === '1',
    );
    await caughtUp(t, ns, { 'count/secrets': '1', configmaps: '2' });
    await t.delete(`${configMaps(ns)}/a`);
    await t.until(`${core(ns, 'resourcequotas')}/q`, (answer) => at(answer, 'status', 'used', 'configmaps') === '1');
    await caughtUp(t, ns);
    await t.post(configMaps(ns), configMap('c'));
  }),
  kase('ResourceQuota: sums of pods', async (t) => {
    const ns = await t.namespace();
    await quota(t, ns, { pods: '3', 'requests.cpu': '1', 'limits.memory': '1Gi' });
    await t.post(core(ns, 'pods'), pod('bare'));
    await t.post(core(ns, 'pods'), sized('half', { requests: { cpu: '500m' }, limits: { memory: '512Mi' } }));
    await t.post(core(ns, 'pods'), sized('much', { requests: { cpu: '600m' }, limits: { memory: '600Mi' } }));
    await t.post(core(ns, 'pods'), sized('fits', { requests: { cpu: '0.5' }, limits: { memory: '0.5Gi' } }));
    await t.until(`${core(ns, 'resourcequotas')}/q`, (answer) => at(answer, 'status', 'used', 'pods') === '2');
    await caughtUp(t, ns, { pods: '2', 'requests.cpu': '1', 'limits.memory': '1Gi' });
    await t.patch('merge', `${core(ns, 'pods')}/fits/status`, { status: { phase: 'Succeeded' } });
    await t.until(`${core(ns, 'resourcequotas')}/q`, (answer) => at(answer, 'status', 'used', 'pods') === '1');
  }),
  kase('ResourceQuota: storage of claims', async (t) => {
    const ns = await t.namespace();
    const claim = (name: string, storage: string, storageClassName = 'slow'): JsonObject => ({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name },
      spec: { accessModes: ['ReadWriteOnce'], storageClassName, resources: { requests: { storage } } },
    });
    await quota(t, ns, {
      'requests.storage': '10Gi',
      persistentvolumeclaims: '3',
      'gold.storageclass.storage.k8s.io/requests.storage': '1Gi',
    });
    await t.post(core(ns, 'persistentvolumeclaims'), claim('a', '6Gi'));
    await t.post(core(ns, 'persistentvolumeclaims'), claim('b', '6Gi'));
    await t.post(core(ns, 'persistentvolumeclaims'), claim('c', '2Gi', 'gold'));
    await t.post(core(ns, 'persistentvolumeclaims'), claim('d', '1Gi', 'gold'));
    await t.until(
      `${core(ns, 'resourcequotas')}/q`,
      (answer) => at(answer, 'status', 'used', 'persistentvolumeclaims') === '2',
    );
  }),
  kase('ResourceQuota: services by type', async (t) => {
    const ns = await t.namespace();
    await quota(t, ns, { services: '2', 'services.loadbalancers': '0', 'services.nodeports': '1' });
    const service = (name: string, type: string): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { type, ports: [{ port: 80 }] },
    });
    await t.post(core(ns, 'services'), service('lb', 'LoadBalancer'));
    await t.post(core(ns, 'services'), service('np', 'NodePort'));
    await t.post(core(ns, 'services'), service('np2', 'NodePort'));
    await t.post(core(ns, 'services'), service('ip', 'ClusterIP'));
    await t.post(core(ns, 'services'), service('ip2', 'ClusterIP'));
  }),
  kase('ResourceQuota: several quotas and scopes', async (t) => {
    const ns = await t.namespace();
    await quota(t, ns, { pods: '5' });
    await quota(t, ns, { pods: '1' }, 'best', { scopes: ['BestEffort'] });
    await t.post(core(ns, 'pods'), pod('a'));
    await t.post(core(ns, 'pods'), pod('b'));
    await t.post(core(ns, 'pods'), sized('c', { requests: { cpu: '1' } }));
  }),
  kase('ResourceQuota: a wrong one', async (t) => {
    const ns = await t.namespace();
    const make = (spec: JsonObject): Promise<unknown> =>
      t.post(core(ns, 'resourcequotas'), { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'x' }, spec });
    await make({ hard: { things: '1' } });
    await make({ hard: { pods: '-1' } });
    await make({ hard: { pods: '1.5' } });
    await make({ hard: { pods: 'many' } });
    await make({ hard: { configmaps: '1' }, scopes: ['BestEffort'] });
    await make({ hard: { pods: '1' }, scopes: ['Whatever'] });
    await make({ hard: { pods: 3, cpu: 1 } });
  }),
  kase('LimitRange: defaults and bounds of containers', async (t) => {
    const ns = await t.namespace();
    await t.post(core(ns, 'limitranges'), {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'l' },
      spec: {
        limits: [
          {
            type: 'Container',
            default: { cpu: '500m', memory: '256Mi' },
            defaultRequest: { cpu: '100m' },
            max: { cpu: '1' },
            min: { memory: '64Mi' },
            maxLimitRequestRatio: { cpu: '5' },
          },
          { type: 'Pod', max: { cpu: '1500m' } },
          { type: 'PersistentVolumeClaim', max: { storage: '5Gi' }, min: { storage: '1Gi' } },
        ],
      },
    });
    for (let i = 0; ; i++) {
      const probe = await t.client.send({ method: 'POST', path: `${core(ns, 'pods')}?dryRun=All`, body: pod('probe') });
      if (JSON.stringify(probe.body).includes('LimitRanger')) break;
      if (i > 400) throw new Error('the limit range did not come into force');
      await new Promise((wake) => setTimeout(wake, 25));
    }
    await t.post(core(ns, 'pods'), pod('defaults'));
    await t.post(
      core(ns, 'pods'),
      sized('own', { requests: { cpu: '200m', memory: '64Mi' }, limits: { cpu: '400m' } }),
    );
    await t.post(core(ns, 'pods'), sized('over', { limits: { cpu: '2' } }));
    await t.post(core(ns, 'pods'), sized('under', { requests: { memory: '1Mi' } }));
    await t.post(core(ns, 'pods'), sized('ratio', { requests: { cpu: '100m' }, limits: { cpu: '900m' } }));
    await t.post(
      core(ns, 'pods'),
      pod('sum', {
        containers: ['a', 'b'].map((name) => ({
          name,
          image: 'i',
          resources: { limits: { cpu: '900m' }, requests: { cpu: '900m' } },
        })),
      }),
    );
    await t.post(core(ns, 'persistentvolumeclaims'), {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
    });
    await t.post(core(ns, 'persistentvolumeclaims'), {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'd' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '100Mi' } } },
    });
  }),
  kase('LimitRange: a wrong one', async (t) => {
    const ns = await t.namespace();
    const make = (limit: JsonObject): Promise<unknown> =>
      t.post(core(ns, 'limitranges'), {
        apiVersion: 'v1',
        kind: 'LimitRange',
        metadata: { name: 'x' },
        spec: { limits: [limit] },
      });
    await make({ type: 'Container', min: { cpu: '2' }, max: { cpu: '1' } });
    await make({ type: 'Container', default: { cpu: '2' }, max: { cpu: '1' } });
    await make({ type: 'Pod', default: { cpu: '1' } });
    await make({ type: 'PersistentVolumeClaim' });
    await make({});
  }),
];
