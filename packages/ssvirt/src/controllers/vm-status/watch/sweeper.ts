/**
 * `Sweeper` finds rows whose VirtualMachine was deleted while no process watched. A VM that is not in the ledger may be
 * gone, or may be so new that its event is still on its way. So the server is asked for each one, and only its own "not
 * found" counts. An unreachable server or a kind that is not served proves nothing.
 */
import type { Logger } from 'pino';
import { Backoff } from '@ssvirt/kube/backoff';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { Client } from '@ssvirt/kube/client/client';
import { isNotFound } from '@ssvirt/kube/errors';
import type { BoundVm, ObservationStore } from '../../../db/observations/contracts.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';

export interface Swept {
  readonly name: string;
  readonly client: Client;
  /** The uid of the VM of that key in the ledger. */
  uidOf(key: string): string | undefined;
  /** Whether a complete list of the namespace was received and the VMs there can be read now. */
  covers(namespace: string): boolean;
  readonly signal: AbortSignal;
}

export interface SweeperParts {
  readonly store: Pick<ObservationStore, 'boundVms'>;
  readonly gone: (cluster: string, key: string, uid: string) => void;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly log: Logger;
}

const pauses = { initialMs: 1000, factor: 2, maxMs: 60_000, jitter: 0.5 };

export class Sweeper {
  readonly #parts: SweeperParts;
  /** The running sweeps by cluster name, with the next one to do. A cluster may have left and come back as another. */
  readonly #asked = new Map<string, { next: Swept | undefined }>();
  readonly #running = new Set<Promise<void>>();
  #signal: AbortSignal = AbortSignal.abort();

  constructor(parts: SweeperParts) {
    this.#parts = parts;
  }

  begin(signal: AbortSignal): void {
    this.#signal = signal;
  }

  /** A request during a sweep leads to one more sweep after it. */
  sweep(cluster: Swept): void {
    if (this.#signal.aborted) return;
    const asked = this.#asked.get(cluster.name);
    if (asked !== undefined) {
      asked.next = cluster;
      return;
    }
    const running = this.#sweepAll(cluster).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #sweepAll(first: Swept): Promise<void> {
    const asked: { next: Swept | undefined } = { next: first };
    this.#asked.set(first.name, asked);
    const backoff = new Backoff(pauses);
    while (asked.next !== undefined && !this.#signal.aborted) {
      const cluster = asked.next;
      asked.next = undefined;
      const signal = AbortSignal.any([this.#signal, cluster.signal]);
      if (await this.#isDone(cluster, signal)) continue;
      asked.next ??= cluster;
      await sleep(this.#parts.clock, backoff.take(), signal);
    }
    this.#asked.delete(first.name);
  }

  /** Also true if the cluster has left. */
  async #isDone(cluster: Swept, signal: AbortSignal): Promise<boolean> {
    const { log } = this.#parts;
    if (signal.aborted) return true;
    try {
      const unknown = await this.#once(cluster, signal);
      if (unknown === 0 || signal.aborted) return true;
      log.warn({ cluster: cluster.name, vms: unknown }, 'cannot confirm whether VMs are gone, retrying');
    } catch (error) {
      if (signal.aborted) return true;
      log.warn({ err: error, cluster: cluster.name }, 'cannot look for deleted VMs, retrying');
    }
    return false;
  }

  /** Resolves to the number of VMs without a clear answer. */
  async #once(cluster: Swept, signal: AbortSignal): Promise<number> {
    const { store, log } = this.#parts;
    let bound = 0;
    let gone = 0;
    let unknown = 0;
    for await (const page of store.boundVms(cluster.name)) {
      if (signal.aborted) return 0;
      bound += page.length;
      const missing = page.filter(
        ({ namespace, name, uid }) => cluster.covers(namespace) && cluster.uidOf(`${namespace}/${name}`) !== uid,
      );
      const answers = await this.#ask(cluster, missing, signal);
      gone += answers.gone;
      unknown += answers.unknown;
    }
    if (gone > 0) log.info({ cluster: cluster.name, rows: bound, gone }, 'marked VMs deleted after relist');
    return unknown;
  }

  async #ask(
    cluster: Swept,
    missing: readonly BoundVm[],
    signal: AbortSignal,
  ): Promise<{ readonly gone: number; readonly unknown: number }> {
    let gone = 0;
    let unknown = 0;
    const rest = missing[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const vm of rest) {
        if (signal.aborted) return;
        const fate = await isGone(cluster.client, vm, signal);
        if (fate === undefined) unknown++;
        if (fate !== true) continue;
        gone++;
        this.#parts.gone(cluster.name, `${vm.namespace}/${vm.name}`, vm.uid);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#parts.concurrency, missing.length) }, worker));
    return { gone, unknown };
  }
}

/** Undefined if the server gives no clear answer. */
async function isGone(client: Client, vm: BoundVm, signal: AbortSignal): Promise<boolean | undefined> {
  try {
    const found = await client.get(
      virtualMachines,
      { namespace: vm.namespace, name: vm.name },
      { metadataOnly: true, signal },
    );
    return found.metadata.uid !== vm.uid;
  } catch (error) {
    if (!isNotFound(error)) return undefined;
    // A server that does not serve the kind also answers "not found", but names no object.
    return error.status?.details?.name === vm.name ? true : undefined;
  }
}
