/**
 * A controller over the Widgets of a namespace, as a process would run it: informers, queue, workers, and a lease if
 * requested.
 */
import { defined } from '@ssvirt/base/values/defined';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { createInformers, type Informers } from '../../../packages/kube/src/informer/informers.ts';
import type { Informer } from '../../../packages/kube/src/informer/informer.ts';
import { withOwnWrites } from '../../../packages/kube/src/informer/own-writes.ts';
import type { Client } from '../../../packages/kube/src/client/client.ts';
import type { Cluster } from '../../../packages/kube/src/cluster.ts';
import { createController } from '../../../packages/kube/src/controller/controller.ts';
import { enqueueObject } from '../../../packages/kube/src/controller/handlers.ts';
import type { Reconciler } from '../../../packages/kube/src/controller/request.ts';
import { watches } from '../../../packages/kube/src/controller/sources.ts';
import { isNotFound } from '../../../packages/kube/src/errors.ts';
import { createRecorder } from '../../../packages/kube/src/events/recorder.ts';
import { createElector } from '../../../packages/kube/src/leader-election/elector.ts';
import { fenced } from '../../../packages/kube/src/leader-election/fenced.ts';
import { LeadershipLost, type Term } from '../../../packages/kube/src/leader-election/term.ts';
import { createMetrics, type Metrics } from '../../../packages/kube/src/metrics/metrics.ts';
import { keyOf } from '../../../packages/kube/src/object.ts';
import { reflectorDefaults, type ReflectorOptions } from '../../../packages/kube/src/reflector/options.ts';
import { widgets, type Widget } from '../widget.ts';
import type { WorkRecord } from './record.ts';

/** The production settings with tens of milliseconds instead of seconds. */
export const quickReflector: Partial<ReflectorOptions> = {
  backoff: { ...reflectorDefaults.backoff, initialMs: 20, maxMs: 300 },
  listTimeoutMs: 700,
  headersTimeoutMs: 700,
  // After two silences the reflector lists again, which would hide missed events.
  silenceMs: 60_000,
  initialSilenceMs: 700,
  shortWatchMs: 50,
};

const quickElection = { leaseDurationMs: 3_000, renewDeadlineMs: 2_000, retryPeriodMs: 100 };
const writeTimeoutMs = 700;

export interface ReplicaOptions {
  readonly name: string;
  readonly client: Client;
  readonly namespace: string;
  readonly record: WorkRecord;
  readonly reflector?: Partial<ReflectorOptions>;
  /** If set, works only while holding a lease, which is renewed through this client. */
  readonly election?: Client;
}

export interface Replica {
  readonly informer: Informer<Widget>;
  readonly informers: Informers;
  readonly metrics: Metrics;
  /** Whether it works: without an election always, otherwise while it leads. */
  readonly leads: boolean;
  stop(): Promise<void>;
}

export function startReplica(options: ReplicaOptions): Replica {
  const { name, client: bare, namespace, record } = options;
  const log: Logger = pino({ level: process.env['SSVIRT_TEST_LOG'] ?? 'silent', name });
  const metrics = createMetrics(new Registry());
  const informers = createInformers({
    client: bare,
    metrics,
    log,
    reflector: { ...quickReflector, ...options.reflector },
  });
  const client = withOwnWrites(bare, informers);
  const informer = informers.informer<Widget>(widgets, { namespaces: [namespace] });
  const recorder = createRecorder({ client, component: name });
  const stopping = new AbortController();
  const state = { leads: false };

  const work = async (term?: Term): Promise<void> => {
    const signal = term === undefined ? stopping.signal : AbortSignal.any([stopping.signal, term.signal]);
    const cluster: Cluster = { name: 'harness', client, informers, recorder, signal };
    const writer = term === undefined ? client : fenced(client, term);
    const controller = createController({
      name: 'widgets',
      reconcile: reconciler(name, informer, writer, record),
      sources: () => [watches(informer, enqueueObject)],
      concurrency: 4,
      log,
      metrics,
    });
    controller.engage(cluster);
    state.leads = true;
    try {
      await controller.run({ signal, ...defined({ term }) });
    } finally {
      state.leads = false;
    }
  };

  const election = options.election;
  const running =
    election === undefined
      ? work()
      : elect({ election, namespace, log, identity: name, signal: stopping.signal, work });
  return {
    informer,
    informers,
    metrics,
    get leads() {
      return state.leads;
    },
    async stop() {
      stopping.abort();
      await running;
      await recorder.stop(100);
      await informers.stop();
    },
  };
}

/** Writes the size of a widget into its status. It reads the object from the cache, as all reconcilers do. */
function reconciler(who: string, informer: Informer<Widget>, client: Client, record: WorkRecord): Reconciler {
  return async ({ namespace = '', name }, { signal }) => {
    const key = { namespace, name };
    await record.during(keyOf(key), who, async () => {
      const seen = informer.get(key);
      record.found(keyOf(key), seen !== undefined);
      const size = seen?.spec?.size;
      if (seen === undefined || seen.status?.seen === size) return;
      // The uid prevents a write to a widget that was deleted and created again meanwhile.
      const body = { metadata: { uid: seen.metadata.uid }, status: { seen: size } };
      const write = client.patch(
        widgets,
        key,
        { type: 'merge', body },
        { subresource: 'status', timeoutMs: writeTimeoutMs, signal },
      );
      await write.catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    });
  };
}

interface Candidate {
  readonly election: Client;
  readonly namespace: string;
  readonly identity: string;
  readonly log: Logger;
  readonly signal: AbortSignal;
  readonly work: (term: Term) => Promise<void>;
}

/** A process that loses the lease ends and restarts, so each candidacy is a new elector with a new identity. */
async function elect({ election, namespace, identity, log, signal, work }: Candidate): Promise<void> {
  for (let life = 1; !signal.aborted; life++) {
    const place = { namespace, name: 'widgets', identity: `${identity}-${life}` };
    const elector = createElector({ client: election, log, ...place, ...quickElection });
    let working: Promise<void> = Promise.resolve();
    try {
      await elector.run(async (term) => {
        working = work(term).catch(unlessLost);
        await working;
        return 'ended';
      }, signal);
    } catch (error) {
      unlessLost(error);
    }
    await working;
  }
}

function unlessLost(error: unknown): void {
  if (!(error instanceof LeadershipLost)) throw error;
}
