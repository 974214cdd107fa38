/** Measures watchers: how fast events reach many of them, and how long one takes to receive all existing objects. */
import { Connection } from './connection.ts';
import type { Figures } from './figures.ts';
import { runLoad, withConnections } from './load.ts';
import { median, percentile } from './percentiles.ts';
import type { Server } from './servers.ts';
import { Watcher } from './watcher.ts';
import { mergeCall, type Workload } from './workload.ts';

const deadline = 60_000;

export interface WatchSizes {
  readonly objects: number;
  readonly watchers: number;
  /** Writes at full speed, with all watchers connected. */
  readonly flood: number;
  /** Writes that each wait until every watcher has seen the previous one. */
  readonly single: number;
  readonly connections: number;
}

/** Counts the events that reach all watchers. */
class Count {
  #events = 0;
  #wanted = Number.POSITIVE_INFINITY;
  #reached: (() => void) | undefined;
  #failed: ((error: Error) => void) | undefined;

  came = (events: number): void => {
    this.#events += events;
    if (this.#events >= this.#wanted) this.#reached?.();
  };

  failed = (error: Error): void => this.#failed?.(error);

  /** Resolves to the time at which `more` further events had come. */
  async expect(more: number): Promise<number> {
    this.#wanted = this.#events + more;
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        this.#reached = resolve;
        this.#failed = reject;
        timer = setTimeout(() => reject(new Error(`${this.#wanted - this.#events} events did not come`)), deadline);
      });
    } finally {
      clearTimeout(timer);
    }
    this.#wanted = Number.POSITIVE_INFINITY;
    return performance.now();
  }
}

export async function measureWatchers(
  server: Server,
  workload: Workload,
  sizes: WatchSizes,
  figures: Figures,
): Promise<void> {
  const count = new Count();
  const from = await currentRevision(server, workload);
  const section = `watches, ${sizes.watchers} watchers`;
  await withConnections(server, sizes.watchers, async (watchers) => {
    const all = watchers.map((connection) => new Watcher(connection, workload.path, from, count));
    await withConnections(server, sizes.connections, async (writers) => {
      const write = (index: number, round: number): ReturnType<typeof mergeCall> =>
        mergeCall(workload, index % sizes.objects, round);
      const latencies: number[] = [];
      for (let i = 0; i < sizes.single; i++) {
        const began = performance.now();
        const [seen] = await Promise.all([count.expect(watchers.length), writers[0]?.must(write(i, 1_000_000 + i))]);
        latencies.push(seen - began);
      }
      const began = performance.now();
      const delivered = count.expect(watchers.length * sizes.flood);
      const [end] = await Promise.all([delivered, runLoad(writers, sizes.flood, (i) => write(i, 2_000_000 + i))]);
      figures.add(section, 'events delivered', '/s', (watchers.length * sizes.flood) / ((end - began) / 1000));
      figures.add(
        section,
        'watches cut by the server and resumed',
        '',
        all.reduce((sum, { resumed }) => sum + resumed, 0),
      );
      figures.add(section, 'from the write to the last watcher, p50', 'ms', percentile(latencies, 0.5));
      figures.add(section, 'from the write to the last watcher, p99', 'ms', percentile(latencies, 0.99));
    });
  });
}

async function currentRevision(server: Server, workload: Workload): Promise<string> {
  return withConnections(server, 1, async ([connection]) => {
    const answer = await (connection as Connection).must({ method: 'GET', path: `${workload.path}?limit=1` });
    const text = Buffer.concat(answer.parts).toString();
    const { metadata } = JSON.parse(text) as { metadata: { resourceVersion: string } };
    return metadata.resourceVersion;
  });
}

/** The start of a new informer: every object as an event, then the bookmark that ends the initial events. */
export async function measureInitialSync(
  server: Server,
  workload: Workload,
  repeats: number,
  figures: Figures,
): Promise<void> {
  const times: number[] = [];
  let bytes = 0;
  for (let i = 0; i < repeats; i++) {
    const connection = await Connection.open(server);
    const began = performance.now();
    bytes = await initialSync(connection, workload);
    times.push(performance.now() - began);
    connection.close();
  }
  figures.add('watches, initial events', `${workload.title} all objects`, 'ms', median(times));
  figures.add('watches, initial events', `${workload.title} all objects, size`, 'MB', bytes / 1e6);
}

const lastLine = '"k8s.io/initial-events-end":"true"';

function initialSync(connection: Connection, { path }: Workload): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let tail = Buffer.alloc(0);
    const follow = (part: Buffer): void => {
      bytes += part.length;
      const text = Buffer.concat([tail, part]);
      if (text.includes(lastLine)) resolve(bytes);
      tail = text.subarray(-lastLine.length);
    };
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const ended = (): void => reject(new Error('the watch ended before its initial events did'));
    connection.watch(`${path}?${query}`, { follow, ended, failed: reject });
  });
}
