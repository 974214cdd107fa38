/**
 * The rows of the matrix: how each fault is played on an operation. A row names the operations for which it makes no
 * sense, and why. `play` resolves when the fault is over.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Fault, FaultInAnswer, Snapshot } from '../fault.ts';
import type { Harness } from '../harness.ts';
import type { Credential } from '../credential.ts';
import type { FaultProxy } from '../fault-proxy.ts';
import { until } from '../until.ts';
import { provoke, requestsOf, type Operation } from './operations.ts';

export interface Scene {
  readonly harness: Harness;
  readonly proxy: FaultProxy;
  readonly credential: Credential;
  readonly operation: Operation;
  /** The list before the last changes. */
  readonly snapshot: Snapshot;
  /** Whether the controller already runs, so that it must be provoked to list or watch again. */
  readonly running: boolean;
  /** Whether the struck replica still leads. */
  readonly leads: () => boolean;
  /** Others write, bypassing the fault. */
  readonly change: () => Promise<void>;
}

export interface FaultRow {
  readonly name: string;
  /** Why the fault makes no sense for an operation. */
  readonly not?: Partial<Record<Operation, string>>;
  /** Operations that are not repeated after the fault. */
  readonly onlyAtStart?: readonly Operation[];
  /** Only silence shows the fault, so the silence limit of the reflector must be short. */
  readonly silent?: boolean;
  /** Strikes the whole server: such cells run alone. */
  readonly alone?: boolean;
  readonly play: (scene: Scene) => Promise<void>;
}

const outageMs = 300;
const pause = (milliseconds: number): Promise<void> => new Promise((wake) => setTimeout(wake, milliseconds));

/** Plays the fault on the next requests of the operation; it is over after `times` strikes. */
async function strikeNext(scene: Scene, fault: Fault, times: number): Promise<void> {
  const { proxy, operation, running } = scene;
  const playing = proxy.add({ fault, match: requestsOf[operation], times });
  if (running) provoke(operation, proxy);
  await until(`the fault ${fault.kind} has struck`, () => playing.struck > 0);
  // A replica that has lost the lease renews no more.
  const struck = (): boolean => playing.struck >= times || (operation === 'lease renewal' && !scene.leads());
  await until(`the fault ${fault.kind} has struck ${times} times`, struck);
  playing.remove();
}

const status =
  (code: number, times: number, retryAfterSeconds?: number): FaultRow['play'] =>
  (scene) =>
    strikeNext(scene, { kind: 'status', code, ...defined({ retryAfterSeconds }) }, times);

/**
 * Strikes in the initial events of a watch-list after the first two lines; in a watch, which is open at once, in the
 * first line.
 */
async function inAnswer(scene: Scene, fault: FaultInAnswer): Promise<void> {
  const { operation, proxy, running } = scene;
  const afterLines = operation === 'watch-list' ? 2 : 0;
  if (operation === 'watch' && running) {
    const open = requestsOf.watch;
    await until('a watch is open', () => proxy.openStreams(open) > 0);
    proxy.strike({ ...fault, afterLines }, open);
    return;
  }
  const times = fault.kind === 'silence-in-stream' ? 1 : 2;
  await strikeNext(scene, { ...fault, afterLines }, times);
}

const noStream = 'its answer is no stream';
const noVersion = 'a write names no version that could be too old';
const noList = 'it reads nothing from a list';

export const faultRows: readonly FaultRow[] = [
  {
    name: 'refused',
    async play({ proxy }) {
      await proxy.refuse();
      await pause(outageMs);
      await proxy.accept();
    },
  },
  { name: 'reset before headers', play: (scene) => strikeNext(scene, { kind: 'reset' }, 3) },
  {
    name: 'answer lost',
    not: {
      list: 'as a reset before the headers',
      'watch-list': 'as a reset before the headers',
      watch: 'as a reset before the headers',
    },
    play: (scene) => strikeNext(scene, { kind: 'lost-answer' }, 2),
  },
  { name: 'reset in mid-line', play: (scene) => inAnswer(scene, { kind: 'reset-in-line' }) },
  { name: 'silence before headers', play: (scene) => strikeNext(scene, { kind: 'silence' }, 1) },
  {
    name: 'silence in the answer',
    silent: true,
    // After a silent watch-list the reflector uses lists instead.
    onlyAtStart: ['watch-list'],
    play: (scene) => inAnswer(scene, { kind: 'silence-in-stream' }),
  },
  { name: '429 with Retry-After', play: status(429, 1, 1) },
  { name: '500', play: status(500, 3) },
  { name: '503', play: status(503, 3) },
  { name: '410 as status', not: { write: noVersion, 'lease renewal': noVersion }, play: status(410, 2) },
  {
    name: '410 in the stream',
    not: { list: noStream, write: noStream, 'lease renewal': noStream },
    play: (scene) => inAnswer(scene, { kind: 'error-event', code: 410 }),
  },
  { name: 'truncated line', play: (scene) => inAnswer(scene, { kind: 'truncate' }) },
  {
    name: 'stale list',
    not: {
      watch: 'a watch carries changes: a server that lags sends them later',
      write: noList,
      'lease renewal': noList,
    },
    play: (scene) => strikeNext(scene, { kind: 'stale', snapshot: scene.snapshot }, 1),
  },
  {
    name: 'expired token',
    async play({ proxy, credential, operation, running }) {
      proxy.expireToken(credential.token);
      if (running) provoke(operation, proxy);
      await pause(outageMs);
      credential.renewToken();
    },
  },
  {
    name: 'server killed and restarted',
    alone: true,
    async play({ harness, proxy, operation, running, change }) {
      // Holds a request that is in flight when the server dies.
      const held = proxy.add({ fault: { kind: 'latency', milliseconds: 200 }, match: requestsOf[operation], times: 1 });
      if (running) provoke(operation, proxy);
      // The earlier changes may have been reconciled already.
      if (operation === 'write') await change();
      await until('a request is on its way', () => held.struck > 0 || operation === 'watch');
      await harness.cluster.kill();
      await harness.cluster.restart();
      held.remove();
    },
  },
];
