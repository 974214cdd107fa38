/**
 * The harness of controller tests: clusters without a server, a readable log, and a controller that ends with its test.
 */
import assert from 'node:assert/strict';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { createInformers } from '../informer/informers.ts';
import { createClient } from '../client/create.ts';
import type { Cluster } from '../cluster.ts';
import { KubeError } from '../errors.ts';
import { createRecorder } from '../events/recorder.ts';
import { FakeClock, settle } from '../fake-clock.ts';
import { createMetrics, type Metrics } from '../metrics/metrics.ts';
import { createController, type Controller, type ControllerOptions } from './controller.ts';
import type { Request } from './request.ts';

/** `Ending` is the part of a test context that is needed here. */
export interface Ending {
  after(end: () => Promise<void>): void;
}

export interface TestCluster extends Cluster {
  leave(): void;
}

/** `clusterOf` returns a cluster without a server, for controllers that have no informers. */
export function clusterOf(t: Ending, name: string): TestCluster {
  const end = new AbortController();
  const source = {
    current: () => Promise.reject(new KubeError('Credentials', 'this cluster has no server')),
    refused: () => Promise.resolve(false),
  };
  const client = createClient({ cluster: name, source, userAgent: 'test' });
  const informers = createInformers({ client });
  const recorder = createRecorder({ client, component: 'test' });
  t.after(async () => {
    end.abort();
    await informers.stop();
    await recorder.stop(0);
    await client.close();
  });
  return { name, client, informers, recorder, signal: end.signal, leave: () => end.abort() };
}

export type LogLine = Readonly<Record<string, unknown>>;

export function memoryLog(level = 'debug'): { readonly log: Logger; readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as LogLine);
  return { log: pino({ level }, { write }), lines };
}

export interface Bench {
  readonly controller: Controller;
  readonly clock: FakeClock;
  readonly metrics: Metrics;
  readonly lines: LogLine[];
  /** Resolves when the controller has ended: with the test, or after `stop`. */
  readonly running: Promise<void>;
  stop(): void;
  count(result: string): Promise<number>;
}

/** `startController` starts a controller on a fake clock. */
export function startController(
  t: Ending,
  { clock = new FakeClock(), ...options }: Partial<ControllerOptions> & { readonly clock?: FakeClock },
  ...clusters: Cluster[]
): Bench {
  const metrics = createMetrics(new Registry());
  const { log, lines } = memoryLog();
  const controller = createController({
    name: 'test',
    reconcile: () => Promise.resolve(),
    sources: () => [],
    rateLimit: { random: () => 0 },
    log,
    metrics,
    clock,
    ...options,
  });
  for (const cluster of clusters) controller.engage(cluster);
  const end = new AbortController();
  const running = controller.run({ signal: end.signal });
  t.after(async () => {
    end.abort();
    // A failed test may have left reconciles open: they must not block the following tests.
    await Promise.race([running.catch(() => undefined), settle()]);
  });
  const count = async (result: string): Promise<number> => {
    const { values } = await metrics.reconcile.total.get();
    const found = values.find(({ labels }) => labels.controller === 'test' && labels.result === result);
    assert.ok(found !== undefined, `no counter of ${result}`);
    return found.value;
  };
  return { controller, clock, metrics, lines, running, stop: () => end.abort(), count };
}

export function request(name: string, cluster = 'a'): Request {
  return { cluster, namespace: 'default', name };
}

/** `Gate` is a reconciler whose calls stay open until the test releases them. */
export class Gate {
  readonly open = new Map<string, () => void>();
  readonly entered: string[] = [];

  readonly reconcile = ({ cluster, name }: Request): Promise<void> => {
    this.entered.push(`${cluster}/${name}`);
    return new Promise((resolve) => this.open.set(`${cluster}/${name}`, resolve));
  };

  async letGo(key: string): Promise<void> {
    const resolve = this.open.get(key);
    assert.ok(resolve !== undefined, `${key} is not being reconciled`);
    this.open.delete(key);
    resolve();
    await settle();
  }
}
