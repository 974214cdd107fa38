/**
 * Measures a thousand listeners: while they connect, during many changes, when they leave, and when the server
 * restarts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../../sandbox/connection.ts';
import type { Harness } from '../harness.ts';
import type { Options } from '../options.ts';
import { bigCatalog } from '../rows.ts';
import {
  changedId,
  changeMachine,
  changeTask,
  commitTimes,
  listeningSessions,
  makeRows,
  numbersOf,
  sumOf,
  type Numbers,
} from './changed-rows.ts';
import { Clients } from './clients.ts';
import type { Report } from './messages.ts';

export interface ListenersFound {
  readonly listeners: number;
  readonly users: number;
  readonly changes: number;
  /** How long the changes took, up to the last delivery to the last listener. */
  readonly changing: number;
  readonly arriving: number;
  /** Seconds. */
  readonly connected: number;
  /** Milliseconds from a commit to a listener. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Milliseconds of a request while changes are delivered. */
  readonly request: { readonly p50: number; readonly max: number };
  /** Missing deliveries, duplicate deliveries, and notices that tell a listener to read everything again. */
  readonly missing: number;
  readonly twice: number;
  readonly resets: number;
  /** Processor seconds while the changes were delivered. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
  readonly clientCpu: number;
  /** Resident bytes of the API server. */
  readonly memory: {
    readonly before: number;
    readonly listening: number;
    readonly changed: number;
    readonly after: number;
    readonly peak: number;
  };
  /** Seconds until the server has restarted, and until all clients listen again. */
  readonly restarted: number;
  readonly back: number;
  /** Changes during the restart, and how many of their deliveries are missing. */
  readonly away: number;
  readonly awayMissing: number;
}

/** The server's limit of event streams per user. */
const perUser = 100;
const settleMs = 2_000;
const arriveMs = 60_000;

export async function measureListeners(
  harness: Harness,
  { listeners, changes, seconds }: Options,
  say: (text: string) => void,
): Promise<ListenersFound> {
  const { postgres, server } = harness;
  const numbers = numbersOf(changes);
  const told = numbers.tasks + numbers.machines + numbers.items;
  const users = Math.ceil(listeners / perUser);
  await makeRows(postgres.admin, numbers);
  const sessions = await listeningSessions(postgres.admin, users);
  const tokens = Array.from({ length: listeners }, (_, at) => sessions[at % users] ?? '');
  const clients = Clients.start({ url: harness.url, ca: harness.ca, tokens, changes: sumOf(numbers) });
  try {
    await sleep(settleMs);
    const before = server.residentBytes();
    say(`${listeners} listeners connect`);
    const connected = await timed(() => clients.open());
    await sleep(settleMs);
    const listening = server.residentBytes();

    say(`${told} changes in ${seconds} s`);
    const cpu = { server: server.cpuSeconds(), database: postgres.cpuSeconds(), clients: await cpuOf(clients) };
    const began = performance.now();
    const request = await change(harness, numbers, seconds * 1000);
    const changing = (performance.now() - began) / 1000;
    await clients.arrived(told, arriveMs);
    const arriving = (performance.now() - began) / 1000;
    const report = await clients.report(await commitTimes(postgres.admin, told));
    const spent = {
      serverCpu: server.cpuSeconds() - cpu.server,
      databaseCpu: postgres.cpuSeconds() - cpu.database,
      clientCpu: report.cpuSeconds - cpu.clients,
    };
    const changed = server.residentBytes();

    say('they leave');
    await clients.leave();
    await sleep(settleMs);
    const memory = { before, listening, changed, after: server.residentBytes(), peak: server.peakBytes() };

    say('they come back, and the server is started again');
    await clients.return();
    const again = await restart(harness, clients, numbers);
    const last = await clients.report(await commitTimes(postgres.admin, sumOf(numbers)));
    return {
      listeners,
      users,
      changes: told,
      changing,
      arriving,
      connected,
      ...latenciesOf(report),
      request,
      missing: listeners * told - report.arrived,
      twice: last.twice,
      resets: last.resets,
      ...spent,
      memory,
      ...again,
      away: numbers.away,
      awayMissing: listeners * sumOf(numbers) - last.arrived - (listeners * told - report.arrived),
    };
  } finally {
    clients.stop();
  }
}

async function cpuOf(clients: Clients): Promise<number> {
  return (await clients.report([])).cpuSeconds;
}

/** Makes the changes at even intervals, however long each takes, and sends modifying requests at the same time. */
async function change(harness: Harness, numbers: Numbers, withinMs: number): Promise<ListenersFound['request']> {
  const { admin } = harness.postgres;
  const { tasks, machines, items } = numbers;
  const all = Math.max(tasks, machines);
  const writes = Array.from({ length: all }, (_, at) => [
    ...(at < tasks ? [() => changeTask(admin, at + 1)] : []),
    ...(at < machines ? [() => changeMachine(admin, tasks + at + 1)] : []),
  ]).flat();
  const connection = await Connection.open({ url: harness.url, ca: harness.ca, token: harness.sessions.tenant });
  const latencies: number[] = [];
  const request = async (at: number): Promise<void> => {
    const sent = performance.now();
    await connection.must({
      method: 'PUT',
      path: `/cloudapi/1.0.0/catalogs/urn:vcloud:catalog:${bigCatalog}/catalogItems/urn:vcloud:catalogitem:${changedId(tasks + machines + at + 1)}`,
      body: JSON.stringify({ description: 'changed' }),
    });
    latencies.push(performance.now() - sent);
  };
  const requests = Array.from({ length: items }, (_, at) => () => request(at));
  try {
    await Promise.all([evenly(writes, withinMs, 'open'), evenly(requests, withinMs, 'closed')]);
  } finally {
    connection.close();
  }
  const sorted = latencies.toSorted((one, other) => one - other);
  return { p50: sorted[sorted.length >> 1] ?? 0, max: sorted.at(-1) ?? 0 };
}

/**
 * In a `closed` loop each call starts only after the previous one has ended, even if that is after its scheduled time.
 */
async function evenly(
  works: readonly (() => Promise<void>)[],
  withinMs: number,
  loop: 'open' | 'closed',
): Promise<void> {
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (const [at, work] of works.entries()) {
    const wait = began + (at * withinMs) / works.length - performance.now();
    if (wait > 0) await sleep(wait);
    const done = work();
    if (loop === 'closed') await done;
    else running.push(done);
  }
  await Promise.all(running);
}

async function restart(
  { server, postgres }: Harness,
  clients: Clients,
  { tasks, machines, items, away }: Numbers,
): Promise<Pick<ListenersFound, 'restarted' | 'back'>> {
  const first = tasks + machines + items + 1;
  const back = clients.back();
  const began = performance.now();
  await server.stop();
  for (let number = first; number < first + away; number += 1) await changeTask(postgres.admin, number);
  await server.restart();
  const restarted = (performance.now() - began) / 1000;
  await back;
  await clients.arrived(first + away - 1, arriveMs);
  return { restarted, back: (performance.now() - began) / 1000 };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** The latencies are sorted. */
function latenciesOf({ latencies }: Report): Pick<ListenersFound, 'p50' | 'p99' | 'max'> {
  const at = (share: number): number => latencies[Math.max(0, Math.ceil(share * latencies.length) - 1)] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}
