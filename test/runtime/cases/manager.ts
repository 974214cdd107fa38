/** A manager with an election, on a server. */
import assert from 'node:assert/strict';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { createElector } from '../../../packages/kube/src/leader-election/elector.ts';
import { holderOf, leases } from '../../../packages/kube/src/leader-election/lease.ts';
import { LeadershipLost } from '../../../packages/kube/src/leader-election/term.ts';
import type { ElectionTimings } from '../../../packages/kube/src/leader-election/timings.ts';
import { createManager, type Manager, type ManagerOptions } from '../../../packages/kube/src/manager/manager.ts';
import type { Runnable } from '../../../packages/kube/src/manager/runnable.ts';
import { createMetrics } from '../../../packages/kube/src/metrics/metrics.ts';
import type { ResourceType } from '../../../packages/kube/src/resource-type.ts';
import type { RuntimeCase } from '../case.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import type { Harness } from '../harness.ts';
import { until } from '../until.ts';

const log = pino({ level: 'silent' });
/** No test waits for the end of this lease, and no starved host loses it. */
const long = { leaseDurationMs: 40_000, renewDeadlineMs: 30_000, retryPeriodMs: 50 };
/** A lease that is soon lost. */
const short = { leaseDurationMs: 2000, renewDeadlineMs: 1500, retryPeriodMs: 50 };

type ReplicaOptions = Partial<ManagerOptions> & { readonly proxy?: FaultProxy; readonly times?: ElectionTimings };

/** One replica of an operator, and a record of what happened in it. */
class Replica {
  readonly manager: Manager;
  readonly told: string[] = [];
  readonly #stop = new AbortController();
  #done: Promise<unknown> | undefined;

  constructor(harness: Harness, namespace: string, options: ReplicaOptions = {}) {
    const { proxy, times = long, ...more } = options;
    const client = harness.client(proxy === undefined ? {} : { proxy });
    const elector = createElector({ client, namespace, name: 'leader', log, ...times });
    this.manager = createManager({ log, elector, ...more });
  }

  add(name: string, more: Partial<Runnable> & { readonly tidying?: () => Promise<void> } = {}): this {
    const { tidying, ...rest } = more;
    this.manager.add({
      name,
      run: async ({ signal, term }) => {
        this.told.push(`${name} runs${term === undefined ? '' : ' with a term'}`);
        await new Promise<void>((end) => signal.addEventListener('abort', () => end(), { once: true }));
        await tidying?.();
        this.told.push(`${name} has ended`);
      },
      ...rest,
    });
    return this;
  }

  start(): this {
    this.#done = this.manager.run(this.#stop.signal).catch((error: unknown) => error);
    return this;
  }

  /** The error that it ended with; undefined without an error. */
  get done(): Promise<unknown> {
    return this.#done ?? Promise.resolve();
  }

  stop(): Promise<unknown> {
    this.#stop.abort();
    return this.done;
  }
}

/** Stops all replicas at the end, even if the case has failed. */
async function withReplicas(
  harness: Harness,
  play: (namespace: string, replica: (options?: ReplicaOptions) => Replica) => Promise<void>,
): Promise<void> {
  const namespace = await harness.namespace('replicas');
  const all: Replica[] = [];
  try {
    await play(namespace, (options) => {
      const replica = new Replica(harness, namespace, options);
      all.push(replica);
      return replica;
    });
  } finally {
    await Promise.all(all.map((replica) => replica.stop()));
  }
}

const holder = async (harness: Harness, namespace: string): Promise<string> =>
  holderOf(await harness.direct.get(leases, { namespace, name: 'leader' }));

export const managerCases: readonly RuntimeCase[] = [
  {
    id: 'L9',
    name: 'a standby is warm, ready and at work with what needs no leader before it leads',
    run: (harness) =>
      withReplicas(harness, async (_, enter) => {
        const first = enter().add('controller').start();
        await until('the first one leads', () => first.told.length > 0);
        const standby = enter({ health: { port: 0 } });
        standby
          .add('controller', { warmUp: async () => void standby.told.push('controller is warm') })
          .add('everywhere', { needsLeadership: false })
          .start();
        await until('it is ready', async () => (await fetch(`${standby.manager.urls.health}/readyz`)).ok);
        await until('what needs no leader runs', () => standby.told.includes('everywhere runs'));
        assert.deepEqual(
          standby.told.toSorted(),
          ['controller is warm', 'everywhere runs'],
          'M2: ready without leading',
        );
        assert.equal(await first.stop(), undefined);
        await until('the standby leads', () => standby.told.includes('controller runs with a term'));
        assert.equal(standby.told.filter((line) => line === 'controller is warm').length, 1);
        assert.equal(await standby.stop(), undefined);
      }),
  },
  {
    id: 'M1',
    name: 'the lease is released last, when all that it guards has ended',
    run: (harness) =>
      withReplicas(harness, async (namespace, enter) => {
        const replica = enter();
        const held: string[] = [];
        const tidying = async (): Promise<void> => void held.push(await holder(harness, namespace));
        replica.add('controller', { tidying }).add('everywhere', { needsLeadership: false, tidying });
        replica.add('cache', { kind: 'cache', tidying }).start();
        await until('it leads', () => replica.told.includes('controller runs with a term'));
        const identity = await holder(harness, namespace);
        assert.equal(await replica.stop(), undefined);
        assert.deepEqual(held, [identity, identity, identity], 'held until the very last has ended');
        assert.equal(await holder(harness, namespace), '');
        assert.deepEqual(replica.told.slice(-3), ['controller has ended', 'everywhere has ended', 'cache has ended']);
      }),
  },
  {
    id: 'L4',
    name: 'a manager whose work does not end in the grace releases nothing',
    run: (harness) =>
      withReplicas(harness, async (namespace, enter) => {
        const replica = enter({ graceMs: 50 });
        replica.add('controller', { tidying: () => new Promise(() => {}) }).start();
        await until('it leads', () => replica.told.length > 0);
        const identity = await holder(harness, namespace);
        assert.match(String(await replica.stop()), /cannot stop in time, still running: controller/);
        assert.equal(await holder(harness, namespace), identity);
      }),
  },
  {
    id: 'L5',
    name: 'a manager that loses the lease ends with that, at once, whatever still runs',
    run: (harness) =>
      withReplicas(harness, async (_, enter) => {
        const proxy = await harness.newProxy();
        const replica = enter({ proxy, times: short, graceMs: -1 });
        replica.add('controller', { tidying: () => new Promise(() => {}) }).start();
        await until('it leads', () => replica.told.length > 0);
        await proxy.refuse();
        assert.ok((await replica.done) instanceof LeadershipLost);
      }),
  },
  {
    id: 'M3',
    name: 'metrics are for those whom the cluster knows',
    run: async (harness) => assert.equal(await readMetrics(harness, 'unknown'), 401),
  },
  {
    id: 'M3',
    name: 'metrics are for those who may get them',
    run: async (harness) => assert.equal(await readMetrics(harness, 'with rights'), 200),
  },
  {
    id: 'M3',
    name: 'metrics are not for those who may not get them',
    only: { server: 'real', why: 'in the sandbox everybody may do everything' },
    run: async (harness) => assert.equal(await readMetrics(harness, 'without rights'), 403),
  },
];

const rbac = 'rbac.authorization.k8s.io';
const accounts: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
};
const roles: ResourceType = {
  group: rbac,
  version: 'v1',
  kind: 'ClusterRole',
  plural: 'clusterroles',
  namespaced: false,
};
const bindings: ResourceType = { ...roles, kind: 'ClusterRoleBinding', plural: 'clusterrolebindings' };

/** Reads the metrics of a manager as a service account, or with an invalid token. */
async function readMetrics(harness: Harness, reader: 'unknown' | 'with rights' | 'without rights'): Promise<number> {
  const namespace = await harness.namespace('metrics');
  const token = reader === 'unknown' ? 'made-up' : await issueToken(harness, namespace);
  if (reader === 'with rights') await allowMetrics(harness, namespace);
  const metrics = createMetrics(new Registry());
  const manager = createManager({ log, metrics, metricsAt: { port: 0, reviews: harness.client() } });
  const stop = new AbortController();
  const done = manager.run(stop.signal);
  try {
    await until('it listens', () => manager.urls.metrics !== undefined);
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${manager.urls.metrics}/metrics`, { headers })).status;
  } finally {
    stop.abort();
    await done;
  }
}

async function issueToken({ direct }: Harness, namespace: string): Promise<string> {
  const key = { namespace, name: 'reader' };
  await direct.create(accounts, { metadata: key });
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
  const made = await direct.createSubresource(accounts, key, 'token', request);
  return (made as { readonly status: { readonly token: string } }).status.token;
}

async function allowMetrics({ direct }: Harness, namespace: string): Promise<void> {
  const name = `metrics-${namespace}`;
  await direct.create(roles, { metadata: { name }, rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] });
  await direct.create(bindings, {
    metadata: { name },
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
    subjects: [{ kind: 'ServiceAccount', namespace, name: 'reader' }],
  });
  const user = `system:serviceaccount:${namespace}:reader`;
  const spec = { user, nonResourceAttributes: { path: '/metrics', verb: 'get' } };
  const body = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec };
  const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
  await until('the server knows of the new right', async () => {
    const answer = await direct.request({ method: 'POST', path, body });
    return (answer.body as { readonly status: { readonly allowed: boolean } }).status.allowed;
  });
}
