/**
 * Generates the load in a process of its own: each connection sends its next request after the answer to the previous
 * one. Started by load.ts, one process per run.
 */
import { once } from 'node:events';
import type { Call, Connection } from '../sandbox/connection.ts';
import { withConnections } from '../sandbox/load.ts';
import { percentile } from '../sandbox/percentiles.ts';
import { numberMark, type Job, type LoadResult, type Told } from './load-job.ts';

class Calls {
  readonly #job: Job;
  #next = 0;

  constructor(job: Job) {
    this.#job = job;
  }

  /** Undefined when all calls of a `once` job have been sent. */
  take(): Call | undefined {
    const { calls, once: onlyOnce, numbered } = this.#job;
    if (onlyOnce && this.#next >= calls.length) return undefined;
    const number = this.#next++;
    const call = calls[number % calls.length];
    if (!numbered || call?.body === undefined) return call;
    return { ...call, body: call.body.replaceAll(numberMark, String(number)) };
  }
}

async function run(job: Job): Promise<LoadResult> {
  const calls = new Calls(job);
  const connect = { url: job.url, ca: job.ca, token: job.token };
  return withConnections(connect, job.connections, async (connections) => {
    if (job.warmUpSeconds > 0) await loop(connections, calls, job.status, performance.now() + job.warmUpSeconds * 1000);
    tell({ kind: 'warm' });
    await once(process, 'message');
    const before = process.cpuUsage();
    const began = performance.now();
    const until = job.once ? Number.POSITIVE_INFINITY : began + job.seconds * 1000;
    const { latencies, bytes } = await loop(connections, calls, job.status, until);
    const seconds = (performance.now() - began) / 1000;
    const { user, system } = process.cpuUsage(before);
    return {
      requests: latencies.length,
      seconds,
      p50: percentile(latencies, 0.5),
      p99: percentile(latencies, 0.99),
      cpuSeconds: (user + system) / 1e6,
      bytes: bytes / latencies.length,
    };
  });
}

async function loop(
  connections: readonly Connection[],
  calls: Calls,
  expected: number,
  until: number,
): Promise<{ readonly latencies: readonly number[]; readonly bytes: number }> {
  const latencies: number[] = [];
  let bytes = 0;
  const work = async (connection: Connection): Promise<void> => {
    while (performance.now() < until) {
      const call = calls.take();
      if (call === undefined) return;
      const sent = performance.now();
      const answer = await connection.send(call);
      latencies.push(performance.now() - sent);
      bytes += answer.bytes;
      if (answer.status === expected) continue;
      const text = Buffer.concat(answer.parts).toString().slice(0, 500);
      throw new Error(`${call.method} ${call.path} answered ${answer.status} and not ${expected}: ${text}`);
    }
  };
  await Promise.all(connections.map(work));
  return { latencies, bytes };
}

function tell(told: Told): void {
  process.send?.(told);
}

const [job] = (await once(process, 'message')) as [Job];
tell({ kind: 'done', ...(await run(job)) });
process.disconnect();
