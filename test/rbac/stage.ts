/**
 * The environment of a story: a process with only its rights, in its own cluster and, if it works in several, in
 * another one.
 */
import { join } from 'node:path';
import type { PartName } from '../../packages/sandbox/src/simulators/start.ts';
import type { ProcessTimes } from '../../packages/ssvirt/src/fleet/identity/with-own-cluster.ts';
import { throwAwayFolder, writeKubeconfig, type ThrowAwayFolder } from '../cluster/cluster.ts';
import { freePorts } from '../cluster/ports.ts';
import { testReflector, testTimes } from '../fleet/harness.ts';
import { until } from '../runtime/until.ts';
import type { Manifest } from '../vm-status/manifests.ts';
import { startWitnessedCluster, type WitnessedCluster } from './witnessed-cluster.ts';
import type { Refused } from './witness/ledger.ts';
import type { Right } from './right.ts';
import { scrape } from './scrape.ts';

export interface StageOptions {
  readonly process: string;
  /** The rights in its own cluster. */
  readonly own: readonly Manifest[];
  /** The rights in the other one, if there is one. */
  readonly elsewhere?: readonly Manifest[];
  /** What is simulated in the cluster of the VMs: the other one, if it exists. */
  readonly parts: readonly PartName[];
  readonly without?: Right | undefined;
}

/** Addresses of the process. */
export interface Serving {
  readonly kubeconfig: string;
  readonly metricsAddr: string;
  readonly healthAddr: string;
}

/** Short enough for a story; a busy host does not lose a Lease. */
export const storyTimes: ProcessTimes = { health: testTimes, reflector: testReflector };

const patient = { deadlineMs: 90_000, everyMs: 20 };

export class Stage {
  readonly own: WitnessedCluster;
  readonly #elsewhere: WitnessedCluster | undefined;
  readonly #folder: ThrowAwayFolder;
  readonly #stopping = new AbortController();
  /** Resolves when something is refused for good for the first time. */
  readonly refusal: Promise<void>;
  #ended: Promise<void> | undefined;
  readonly #clearing: (() => Promise<void>)[] = [];
  #metrics = 0;

  private constructor(
    own: WitnessedCluster,
    elsewhere: WitnessedCluster | undefined,
    folder: ThrowAwayFolder,
    refusal: Promise<void>,
  ) {
    this.own = own;
    this.#elsewhere = elsewhere;
    this.#folder = folder;
    this.refusal = refusal;
  }

  static async set({ process: name, own, elsewhere, parts, without }: StageOptions): Promise<Stage> {
    const { promise, resolve: refused } = Promise.withResolvers<void>();
    const common = { process: name, without, refused };
    const [here, there, folder] = await Promise.all([
      startWitnessedCluster({ ...common, name: 'own', granted: own, ...(elsewhere === undefined ? { parts } : {}) }),
      elsewhere === undefined
        ? undefined
        : startWitnessedCluster({ ...common, name: 'elsewhere', granted: elsewhere, parts }),
      throwAwayFolder(`ssvirt-${name}-story-`),
    ]);
    return new Stage(here, there, folder, promise);
  }

  get elsewhere(): WitnessedCluster {
    if (this.#elsewhere === undefined) throw new Error('there is one cluster on this stage');
    return this.#elsewhere;
  }

  get clusters(): readonly WitnessedCluster[] {
    return [this.own, ...(this.#elsewhere === undefined ? [] : [this.#elsewhere])];
  }

  get missed(): ReadonlySet<string> {
    return new Set(this.clusters.flatMap(({ ledger }) => [...ledger.missed]));
  }

  get refused(): readonly Refused[] {
    return this.clusters.flatMap(({ ledger }) => ledger.refusals);
  }

  /** What a server allowed although no right for it was granted. */
  get surprises(): readonly string[] {
    return this.clusters.flatMap(({ ledger }) => ledger.surprises);
  }

  get folder(): string {
    return this.#folder.path;
  }

  file(name: string): string {
    return join(this.#folder.path, name);
  }

  /** The complete process except its signal handlers, in the name of the account; ends with the stage. */
  async run(start: (serving: Serving, signal: AbortSignal) => Promise<void>): Promise<void> {
    const [metrics = 0, health = 0] = await freePorts(2);
    this.#metrics = metrics;
    const kubeconfig = await writeKubeconfig(this.file('kubeconfig'), this.own.credentials);
    const serving = { kubeconfig, metricsAddr: `0.0.0.0:${metrics}`, healthAddr: `127.0.0.1:${health}` };
    this.#ended = start(serving, this.#stopping.signal);
    // Reported when the stage is cleared: until then the story names what it waits for.
    this.#ended.catch(() => undefined);
    await this.until('it serves', async () => (await scrape(metrics)).status === 401);
  }

  onClear(act: () => Promise<void>): void {
    this.#clearing.push(act);
  }

  /** Scraped by an administrator. */
  async scraped(): Promise<number> {
    return (await this.#scrape()).status;
  }

  /** The number of objects of a kind that the process knows, in all clusters. */
  async knows(plural: string): Promise<number> {
    const lines = (await (await this.#scrape()).text()).split('\n');
    const own = lines.filter((line) => line.startsWith('informer_objects{') && line.includes(`resource="${plural}`));
    return own.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
  }

  #scrape(): ReturnType<typeof scrape> {
    return scrape(this.#metrics, this.own.adminToken);
  }

  /** Waits for a state, until the stage is cleared. */
  async until(what: string, probe: () => boolean | Promise<boolean>): Promise<void> {
    const { signal } = this.#stopping;
    await until(what, async () => signal.aborted || (await probe()), patient);
    signal.throwIfAborted();
  }

  async clear(): Promise<void> {
    this.#stopping.abort();
    await this.#ended?.catch(() => undefined);
    for (const act of this.#clearing) await act();
    for (const cluster of this.clusters) await cluster.stop();
    await this.#folder.remove();
  }
}
