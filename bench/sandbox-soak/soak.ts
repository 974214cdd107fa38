/** One run: rounds of chaos, each with a quiet point at its end. */
import { FAULT_KINDS, type FaultKind } from '../../packages/sandbox/src/server/faults/rule.ts';
import { Dice } from '../../test/conformance/dice.ts';
import { Connection } from '../sandbox/connection.ts';
import { settledMegabytes } from '../sandbox/memory.ts';
import { ownDefinition } from '../sandbox/own-definition.ts';
import { measurable } from '../sandbox/processes.ts';
import { poll } from '../sandbox/servers.ts';
import { Cache, type Place } from './cache.ts';
import { runChaos } from './chaos.ts';
import { FaultDesk } from './fault-desk.ts';
import { kinds, namespaces, sideLabel } from './kinds.ts';
import type { Options } from './options.ts';
import { checkCaches, checkScenes, checkWrites } from './quiet-point.ts';
import { SandboxProcess } from './sandbox-process.ts';
import { growthComplaint, liveMegabytes, openFiles, type Growth, type Vitals } from './vitals.ts';
import { Violations } from './violations.ts';
import { World } from './world.ts';
import { Writer } from './writer.ts';

type Say = (text: string) => void;

const places: readonly Place[] = [
  { path: '/api/v1/configmaps' },
  { path: '/apis/bench.example.org/v1/virtualmachines' },
  { path: '/api/v1/configmaps', selector: `${sideLabel}=left` },
  { path: '/apis/bench.example.org/v1/virtualmachines', selector: `${sideLabel}=right` },
  { path: '/api/v1/namespaces/soak-0/configmaps' },
  { path: '/api/v1/namespaces' },
  { path: '/api/v1/serviceaccounts' },
];

/** The share of the time between two quiet points. */
const chaosShare = 0.9;
/** The revision is reset every so many rounds, including the first. */
const resetEvery = 3;

/** Milliseconds until code is compiled and every path was taken. */
const warmUp = 180_000;
const resident: Growth = { title: 'resident memory (MB)', step: 200, rises: 6, noise: 60 };
const live: Growth = { title: 'memory without garbage (MB)', step: 30, rises: 6, noise: 3 };
const files: Growth = { title: 'the number of open files', step: 20, rises: 6, noise: 6 };
/**
 * How long caches may take to reach the server's state: streams that a fault has slowed or silenced end by themselves.
 */
const agreement = 30_000;
/**
 * Connections that the server may have at a quiet point besides those of the clients: its listener, and recently closed
 * ones.
 */
const spareSockets = 8;

export async function soak(options: Options, say: Say): Promise<boolean> {
  const began = performance.now();
  const stamp: Say = (text) => say(`${clock(performance.now() - began)}  ${text}`);
  const dice = new Dice(options.seed);
  const sandbox = await SandboxProcess.start(options.data);
  const violations = new Violations(stamp);
  try {
    const world = new World(sandbox, new FaultDesk(sandbox, dice), violations, dice);
    stamp(
      `seed ${options.seed}, ${options.writers} writers, ${options.caches} caches, state ${options.data ? 'on disk' : 'in memory'}`,
    );
    await new Soak(world, options, stamp).run();
  } catch (error) {
    if (!sandbox.ended) throw error;
    violations.add(`the sandbox has ended by itself: ${sandbox.tail}`);
  } finally {
    await sandbox.stop();
  }
  stamp(violations.all.length === 0 ? 'no violation' : `FAILED: ${violations.all.length} violations`);
  return violations.all.length === 0;
}

class Soak {
  readonly #world: World;
  readonly #options: Options;
  readonly #say: Say;
  readonly #writers: readonly Writer[];
  readonly #caches: readonly Cache[];
  readonly #vitals: Vitals[] = [];

  constructor(world: World, options: Options, say: Say) {
    this.#world = world;
    this.#options = options;
    this.#say = say;
    const longestWatch = Math.max(2, Math.round(options.round / 8));
    this.#writers = Array.from({ length: options.writers }, (_, id) => new Writer(world, id));
    this.#caches = Array.from({ length: options.caches }, (_, id) => {
      return new Cache(world, id, places[id % places.length] as Place, longestWatch);
    });
  }

  async run(): Promise<void> {
    await this.#prepare();
    const writing = Promise.all(this.#writers.map((writer) => writer.run()));
    const watching = Promise.all(this.#caches.map((cache) => cache.run()));
    // A loop that fails ends the run; otherwise the run would pass without it.
    await Promise.race([this.#rounds(), Promise.all([writing, watching])]);
    await this.#finish(writing, watching);
    this.#summarise();
  }

  /** Scenes run to their end; then nothing of them may remain. */
  async #finish(writing: Promise<unknown>, watching: Promise<unknown>): Promise<void> {
    const world = this.#world;
    world.finishing = true;
    await writing;
    const connection = await Connection.open(world.sandbox.credentials);
    await checkScenes(world, connection);
    await this.#compare(connection);
    connection.close();
    world.stopping = true;
    await world.watching.close();
    world.watching.open();
    await watching;
  }

  async #prepare(): Promise<void> {
    const connection = await Connection.open(this.#world.sandbox.credentials);
    for (const name of namespaces) {
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      await connection.must({ method: 'POST', path: '/api/v1/namespaces', body });
    }
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await connection.must({ method: 'POST', path: definitions, body: JSON.stringify(ownDefinition) });
    for (const { all } of kinds) {
      await poll(`${all} is not served`, async () => {
        return (await connection.send({ method: 'GET', path: all })).status === 200 || undefined;
      });
    }
    connection.close();
    for (const writer of this.#writers) await writer.prepare();
  }

  async #rounds(): Promise<void> {
    const length = this.#options.round * 1000;
    const end = performance.now() + this.#options.minutes * 60_000;
    for (let round = 1; round === 1 || performance.now() < end; round++) {
      const began = performance.now();
      await runChaos(this.#world, this.#caches, {
        length: length * chaosShare,
        kill: this.#options.data,
        resetRevision: round % resetEvery === 1,
      });
      await this.#quiet(round, began + length);
    }
  }

  /** Lasts until `end`, so that memory settles. */
  async #quiet(round: number, end: number): Promise<void> {
    const world = this.#world;
    const began = performance.now();
    await world.desk.clear();
    await world.writing.close();
    const connection = await Connection.open(world.sandbox.credentials);
    await this.#compare(connection);
    connection.close();
    const agreed = performance.now() - began;
    for (const defect of world.sandbox.newDefects()) world.violations.add(`the sandbox says: ${defect}`);
    if (measurable) await this.#measure(Math.max(500, end - performance.now()));
    this.#say(this.#line(round, agreed));
    world.writing.open();
  }

  async #compare(connection: Connection): Promise<void> {
    await checkWrites(this.#world, connection, this.#writers);
    await checkCaches(this.#world, connection, this.#caches, agreement);
  }

  async #measure(patience: number): Promise<void> {
    const { sandbox, desk, violations } = this.#world;
    // Without the events that happen to be in the window, quiet points are comparable.
    await desk.compact();
    const megabytes = await settledMegabytes({ processes: [sandbox.process] }, patience);
    const vitals = { megabytes, live: await liveMegabytes(sandbox.inspector), ...openFiles(sandbox.process) };
    this.#vitals.push(vitals);
    const most = this.#options.writers + 2 * this.#options.caches + spareSockets;
    if (vitals.sockets > most)
      violations.add(`the server has ${vitals.sockets} sockets; all clients have ${most} at most`);
    const steady = this.#vitals.slice(Math.ceil(warmUp / (this.#options.round * 1000)));
    const complaints = [
      growthComplaint(
        steady.map((one) => one.megabytes),
        resident,
      ),
      growthComplaint(
        steady.map((one) => one.live),
        live,
      ),
      growthComplaint(
        steady.map((one) => one.files),
        files,
      ),
    ];
    for (const complaint of complaints) if (complaint !== undefined) violations.add(complaint);
  }

  #line(round: number, agreed: number): string {
    const { counts, sandbox, desk } = this.#world;
    const vitals = this.#vitals.at(-1);
    const strikes = [...desk.struck.values()].reduce((sum, value) => sum + value, 0);
    return [
      `round ${round}`,
      `${counts.acknowledged} writes, ${counts.inDoubt} in doubt`,
      `${counts.scenes} scenes`,
      `${counts.events} events, ${counts.lists} lists, ${counts.resumed} watches`,
      `${strikes} strikes of faults`,
      `agreed after ${(agreed / 1000).toFixed(1)} s`,
      ...(vitals === undefined
        ? []
        : [
            `${vitals.megabytes.toFixed(0)} MB (${vitals.live.toFixed(0)} live), ${vitals.sockets} sockets, ${vitals.files} files`,
          ]),
      ...(this.#options.data ? [`journal ${(sandbox.journal / 1e6).toFixed(0)} MB, life ${sandbox.lives}`] : []),
    ].join(' | ');
  }

  #summarise(): void {
    const { desk, suspicions, counts } = this.#world;
    const series = (read: (vitals: Vitals) => number): string =>
      this.#vitals.map((vitals) => read(vitals).toFixed(0)).join(' ');
    const strikes = Object.keys(FAULT_KINDS).map((kind) => `${kind} ${desk.struck.get(kind as FaultKind) ?? 0}`);
    this.#say(`${counts.requests} requests, ${counts.acknowledged} acknowledged writes, ${counts.scenes} scenes`);
    this.#say(`faults that struck: ${strikes.join(', ')}`);
    this.#say(`resident memory (MB): ${series((vitals) => vitals.megabytes)}`);
    this.#say(`memory without garbage (MB): ${series((vitals) => vitals.live)}`);
    this.#say(`open sockets: ${series((vitals) => vitals.sockets)}`);
    this.#say(`open files: ${series((vitals) => vitals.files)}`);
    if (suspicions.length > 0)
      this.#say(`${suspicions.length} times slow without a fault, such as: ${suspicions.slice(0, 3).join('; ')}`);
  }
}

function clock(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(seconds % 60).padStart(2, '0')}`;
}
