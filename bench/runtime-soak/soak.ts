/**
 * One run: rounds of writes with a kill of the server in each. Each round ends with a quiet point at which all must
 * agree.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '../../packages/kube/src/client/create.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { keyOf } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import type { RestartableCluster } from '../../test/cluster/cluster.ts';
import { startRealCluster } from '../../test/cluster/real.ts';
import { startRestartableSandbox } from '../../test/cluster/sandbox.ts';
import { Dice } from '../../test/conformance/dice.ts';
import { Player, type PlayerEvent } from '../runtime/player.ts';
import { group, populate } from '../runtime/population.ts';
import { measurable } from '../sandbox/processes.ts';
import { growthComplaint, openFiles, type Growth } from '../sandbox-soak/vitals.ts';
import { digestOf, type Digest } from './digest.ts';
import type { Options } from './options.ts';
import { Writer } from './writer.ts';

type Say = (text: string) => void;

interface Contents extends PlayerEvent {
  readonly all: Digest;
  readonly tenth: Digest;
  readonly reconciled: Digest;
  readonly health: object;
}

interface Vitals {
  readonly megabytes: number;
  readonly sockets: number;
}

/**
 * Including backoff, a cache is current within this time after the server is back; then the last events come at once.
 */
const agreement = 90_000;
const heap: Growth = { title: 'the heap without garbage (MB)', step: 40, rises: 6, noise: 5 };
/** Two watches, and the pipes to this process. */
const usualSockets = 6;
const idleClosing = 40_000;
const sockets: Growth = { title: 'the number of open sockets', step: 8, rises: 6, noise: 4 };

export async function soak(options: Options, say: Say): Promise<boolean> {
  const began = performance.now();
  const stamp: Say = (text) => say(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s  ${text}`);
  const cluster = options.real ? await startRealCluster() : await startRestartableSandbox();
  const { url, ca, token, adminKubeconfig } = cluster;
  const connection = { server: url, tls: { ca }, headers: { authorization: `Bearer ${token}` } };
  const source = { current: () => Promise.resolve(connection), refused: () => Promise.resolve(false) };
  const client = createClient({ cluster: 'soak', source, userAgent: 'ssvirt-soak-writer' });
  const subject = new Player('the subject', process.execPath, [
    '--expose-gc',
    `${import.meta.dirname}/subject.ts`,
    '--kubeconfig',
    adminKubeconfig,
    '--group',
    group.group,
  ]);
  try {
    stamp(`seed ${options.seed}, ${options.objects} objects, ${options.rate} writes a second, ${cluster.kind}`);
    await populate(cluster, options.objects);
    return await new Soak(cluster, client, subject, options, stamp).run();
  } finally {
    await subject.stop();
    await client.close();
    await cluster.stop();
  }
}

class Soak {
  readonly #cluster: RestartableCluster;
  readonly #client: Client;
  readonly #subject: Player;
  readonly #options: Options;
  readonly #say: Say;
  readonly #dice: Dice;
  readonly #type: ResourceType;
  readonly #vitals: Vitals[] = [];
  readonly #violations: string[] = [];

  constructor(cluster: RestartableCluster, client: Client, subject: Player, options: Options, say: Say) {
    this.#cluster = cluster;
    this.#client = client;
    this.#subject = subject;
    this.#options = options;
    this.#say = say;
    this.#dice = new Dice(options.seed);
    this.#type = {
      group: group.group,
      version: 'v1',
      kind: 'VirtualMachine',
      plural: 'virtualmachines',
      namespaced: true,
    };
  }

  async run(): Promise<boolean> {
    await this.#subject.until('synced');
    const writer = new Writer(this.#client, this.#type, this.#dice, this.#options.objects);
    const end = performance.now() + this.#options.minutes * 60_000;
    for (let round = 1; round === 1 || performance.now() < end; round++) {
      await this.#round(writer);
      const agreed = await this.#compare();
      await this.#measure();
      const { acknowledged, failed } = writer.counts;
      const last = this.#vitals.at(-1);
      this.#say(
        `round ${round} | ${acknowledged} writes, ${failed} failed | agreed after ${(agreed / 1000).toFixed(1)} s | ` +
          (last === undefined ? '' : `${last.megabytes.toFixed(1)} MB live, ${last.sockets} sockets`),
      );
    }
    this.#overall();
    const { length } = this.#violations;
    this.#say(length === 0 ? 'no violation' : `FAILED: ${length} violations`);
    return length === 0;
  }

  /** Writes all the time; the server dies somewhere in the first half and stays down for some seconds. */
  async #round(writer: Writer): Promise<void> {
    const length = this.#options.round * 1000;
    const writing = writer.write(length * 0.75, this.#options.rate);
    await pause(length * (0.05 + this.#dice.below(40) / 100));
    await this.#cluster.kill();
    await pause(this.#dice.below(5) * 1000);
    await this.#cluster.restart();
    await writing;
  }

  /** Waits until the subject has the server's state; resolves to how long that took. */
  async #compare(): Promise<number> {
    const began = performance.now();
    for (;;) {
      const server = await this.#server();
      const own = (await this.#subject.ask('contents', 'contents')) as Contents;
      const differences = this.#differences(server, own);
      if (differences.length === 0) return performance.now() - began;
      if (performance.now() - began > agreement) {
        for (const difference of differences) this.#violate(difference);
        return performance.now() - began;
      }
      await pause(200);
    }
  }

  #differences(server: { all: Digest; tenth: Digest }, own: Contents): string[] {
    const pairs = [
      ['the cache', own.all, server.all],
      ['the cache of a selection', own.tenth, server.tenth],
      ['what was reconciled last', own.reconciled, server.all],
    ] as const;
    return pairs.flatMap(([title, mine, theirs]) =>
      mine.digest === theirs.digest
        ? []
        : [
            `${title} has ${mine.count} objects and differs from the server's ${theirs.count}: ${JSON.stringify(own.health)}`,
          ],
    );
  }

  async #server(): Promise<{ all: Digest; tenth: Digest }> {
    const all = new Map<string, string>();
    const tenth = new Map<string, string>();
    for await (const { items } of this.#client.pages(this.#type, { timeoutMs: 60_000 })) {
      for (const { metadata } of items) {
        all.set(keyOf(metadata), metadata.resourceVersion ?? '');
        if (metadata.labels?.['bench/tenth'] === '3') tenth.set(keyOf(metadata), metadata.resourceVersion ?? '');
      }
    }
    return { all: digestOf(all), tenth: digestOf(tenth) };
  }

  async #measure(): Promise<void> {
    const { megabytes } = (await this.#subject.ask('vitals', 'vitals')) as PlayerEvent & { megabytes: number };
    this.#vitals.push({ megabytes, sockets: await this.#sockets() });
    const complaints = [
      growthComplaint(this.#series('megabytes'), heap),
      growthComplaint(this.#series('sockets'), sockets),
    ];
    for (const complaint of complaints) if (complaint !== undefined) this.#violate(complaint);
    for (const { text } of this.#subject.take('violation')) this.#violate(String(text));
  }

  /** Idle sockets close after a while: a relist that misses many objects sends a request for each. */
  async #sockets(): Promise<number> {
    const count = (): number => (measurable ? openFiles({ name: 'subject', pid: this.#subject.pid }).sockets : 0);
    const most = (this.#vitals[0]?.sockets ?? usualSockets) + sockets.noise;
    const deadline = performance.now() + idleClosing;
    while (count() > most && performance.now() < deadline) await pause(500);
    return count();
  }

  #series(name: keyof Vitals): number[] {
    return this.#vitals.map((vitals) => vitals[name]);
  }

  /** A short run has too few quiet points for a trend, so the last is compared with the first. */
  #overall(): void {
    const first = this.#vitals[0];
    const last = this.#vitals.at(-1);
    if (first === undefined || last === undefined) return;
    if (last.sockets > first.sockets + 4) this.#violate(`sockets grew from ${first.sockets} to ${last.sockets}`);
    if (last.megabytes > first.megabytes * 1.2 + 5)
      this.#violate(`the heap grew from ${first.megabytes.toFixed(1)} to ${last.megabytes.toFixed(1)} MB`);
    this.#say(
      `heap without garbage (MB): ${this.#series('megabytes')
        .map((value) => value.toFixed(1))
        .join(' ')}`,
    );
    this.#say(`open sockets: ${this.#series('sockets').join(' ')}`);
  }

  #violate(text: string): void {
    this.#violations.push(text);
    this.#say(`VIOLATION: ${text}`);
  }
}
