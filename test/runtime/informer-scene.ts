/** One kind on a scripted server, a client, and caches on it; all end with the test. */
import type { TestContext } from 'node:test';
import { Registry } from 'prom-client';
import { scriptedScene } from './scripted-scene.ts';
import type { configMaps, ScriptedScene } from './scripted-scene.ts';
import { FakeClock, settle } from '../../packages/kube/src/fake-clock.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import type { KubeObject } from '../../packages/kube/src/object.ts';
import { KindServer } from './kind-server.ts';
import { createInformers } from '../../packages/kube/src/informer/informers.ts';
import type { Informers, InformersOptions } from '../../packages/kube/src/informer/informers.ts';
import type { Handler } from '../../packages/kube/src/informer/informer.ts';

export type ConfigMap = NonNullable<(typeof configMaps)['shape']>;

export interface Scene extends ScriptedScene {
  readonly kind: KindServer;
  readonly clock: FakeClock;
  readonly informers: Informers;
  readonly metric: (name: string, labels?: Readonly<Record<string, string>>) => Promise<number | undefined>;
}

/** Without jitter, so that pauses are predictable. */
export const steady = { random: (): number => 0 };

export async function scene(context: TestContext, options: Partial<InformersOptions> = {}): Promise<Scene> {
  const kind = new KindServer();
  const scripted = await scriptedScene(context, kind.answer);
  const clock = new FakeClock();
  const registry = new Registry();
  const informers = createInformers({
    client: scripted.client,
    clock,
    metrics: createMetrics(registry),
    reflector: steady,
    ...options,
  });
  context.after(() => informers.stop());
  const metric: Scene['metric'] = async (name, labels = {}) => {
    await settle(); // Metrics are written once per iteration of the event loop.
    const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
    const matches = (have: object): boolean =>
      Object.entries(labels).every(([label, value]) => (have as Record<string, unknown>)[label] === value);
    return values.find((one) => matches(one.labels))?.value;
  };
  return { ...scripted, kind, clock, informers, metric };
}

/**
 * `Diary` records its events as words: `+a1` was added with data.v = 1, `~a2` updated, `-a2` deleted; a `!` marks an
 * initial event or an unknown final state.
 */
export class Diary implements Handler<KubeObject & { readonly data?: Readonly<Record<string, string>> }> {
  readonly name: string;
  readonly lines: string[] = [];

  constructor(name = 'diary') {
    this.name = name;
  }

  added(object: ConfigMap, { initial }: { initial: boolean }): void {
    this.lines.push(`+${wordFor(object)}${initial ? '!' : ''}`);
  }

  updated(before: ConfigMap, after: ConfigMap, { resync }: { resync: boolean }): void {
    this.lines.push(resync && before === after ? `=${wordFor(after)}` : `~${wordFor(after)}`);
  }

  deleted(object: ConfigMap, { finalStateUnknown }: { finalStateUnknown: boolean }): void {
    this.lines.push(`-${wordFor(object)}${finalStateUnknown ? '!' : ''}`);
  }
}

export function wordFor({ metadata, data }: ConfigMap): string {
  return `${metadata.name ?? ''}${data?.['v'] ?? ''}`;
}
