/**
 * `ClusterWatch` follows the VMs of one cluster and keeps a few facts of each, never an object. It reads all namespaces
 * at once or, if that is forbidden, the namespaces of VDCs one by one. Namespaces that may not be read are reported,
 * and the rest continues.
 */
import type { Logger } from 'pino';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { parseKey } from '@ssvirt/kube/object';
import { reach, type Reach } from '../../../fleet/health/reachability.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import { ScopeWatch, type ScopeListener } from './scope-watch.ts';

export interface ClusterListener extends ScopeListener {
  /** A complete list of the VMs of a namespace, or of all namespaces, was received. */
  listed(): void;
}

export interface ClusterWatchParts {
  readonly cluster: Cluster;
  readonly listener: ClusterListener;
  /** Namespaces of VDCs in this cluster. */
  readonly namespaces: () => readonly string[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly lookMs?: number;
  /** The interval between attempts to read all namespaces at once again. */
  readonly retryWholeMs?: number;
}

export type Readability =
  | { readonly state: 'synced'; readonly unreadable: readonly string[] }
  | { readonly state: 'starting' }
  /** `since` is by the monotonic clock. */
  | { readonly state: 'failing'; readonly since: number; readonly message: string };

export class ClusterWatch {
  readonly cluster: Cluster;
  readonly #parts: ClusterWatchParts;
  readonly #log: Logger;
  /** By namespace. The empty name is the watch of all namespaces. */
  readonly #scopes = new Map<string, ScopeWatch>();
  #mode: 'whole' | 'namespaces' = 'whole';
  #reported = '';
  #reached = 0;
  /** The scope of the last attempt, until it has succeeded. */
  #unreached: ScopeWatch | undefined;

  constructor(parts: ClusterWatchParts) {
    this.#parts = parts;
    this.cluster = parts.cluster;
    this.#log = parts.log.child({ cluster: parts.cluster.name });
    this.#open('');
  }

  get size(): number {
    let size = 0;
    for (const scope of this.#readable()) size += scope.size;
    return size;
  }

  scopeOf(key: string): ScopeWatch | undefined {
    if (this.cluster.signal.aborted) return undefined;
    return this.#scopes.get(this.#mode === 'whole' ? '' : (parseKey(key).namespace ?? ''));
  }

  *keys(): Generator<string> {
    for (const scope of this.#readable()) yield* scope.keys();
  }

  *templateInstanceKeys(): Generator<string> {
    for (const scope of this.#readable()) yield* scope.templateInstanceKeys();
  }

  /** The ledgers of a cluster that has left are stopped before this watch notices, and a stopped ledger throws. */
  #readable(): Iterable<ScopeWatch> {
    return this.cluster.signal.aborted ? [] : this.#scopes.values();
  }

  covers(namespace: string): boolean {
    return this.scopeOf(`${namespace}/`)?.covers(namespace) === true;
  }

  readability(): Readability {
    const scopes = [...this.#scopes.entries()].map(([namespace, scope]) => ({
      namespace,
      scope,
      health: scope.health(),
    }));
    const unreadable = scopes.filter(({ health }) => health.trouble === 'forbidden').map(({ namespace }) => namespace);
    const others = scopes.filter(({ health }) => health.trouble !== 'forbidden');
    const failing = others.find(({ health }) => health.trouble !== 'none' && health.failingSince !== undefined);
    if (failing?.health.failingSince !== undefined)
      return {
        state: 'failing',
        since: failing.health.failingSince,
        message: failing.health.lastError?.message ?? 'it does not answer',
      };
    if (this.#mode === 'whole' && unreadable.length > 0) return { state: 'starting' };
    return others.every(({ scope }) => scope.hasSynced) ? { state: 'synced', unreadable } : { state: 'starting' };
  }

  /**
   * Rejects if the cluster is unreachable. With many namespaces, each call tries one of them, and the same one until it
   * succeeds: otherwise the others would hide one whose watches are silent.
   */
  async reach(how: Reach): Promise<void> {
    const scopes = [...this.#scopes.values()].filter((scope) => scope.health().trouble !== 'forbidden');
    const again = scopes.find((scope) => scope === this.#unreached);
    if (again === undefined) this.#reached = scopes.length === 0 ? 0 : (this.#reached + 1) % scopes.length;
    const scope = again ?? scopes[this.#reached];
    this.#unreached = scope;
    await reach(this.cluster.client, scope?.openWatches() ?? [], how);
    this.#unreached = undefined;
  }

  /** Runs until the cluster leaves or the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, cluster, lookMs = 1000, retryWholeMs = 300_000 } = this.#parts;
    const either = AbortSignal.any([signal, cluster.signal]);
    let triedAt = clock.now();
    while (!either.aborted) {
      if (this.#mode === 'whole') this.#leaveWhole();
      else {
        this.#follow();
        if (clock.now() - triedAt >= retryWholeMs) {
          triedAt = clock.now();
          await this.#retryWhole(either);
        }
      }
      this.#report();
      await sleep(clock, lookMs, either);
    }
    for (const namespace of this.#scopes.keys()) this.#close(namespace);
  }

  /** Reading all namespaces at once is forbidden: switches to the namespaces of VDCs. */
  #leaveWhole(): void {
    const whole = this.#scopes.get('');
    if (whole?.health().trouble !== 'forbidden') return;
    this.#log.warn(
      { err: whole.health().lastError },
      'cannot read VMs of all namespaces, reading VDC namespaces one by one',
    );
    this.#mode = 'namespaces';
    this.#close('');
    this.#follow();
  }

  #follow(): void {
    const wanted = new Set(this.#parts.namespaces());
    for (const namespace of this.#scopes.keys()) if (!wanted.has(namespace)) this.#close(namespace);
    for (const namespace of wanted) if (!this.#scopes.has(namespace)) this.#open(namespace);
  }

  async #retryWhole(signal: AbortSignal): Promise<void> {
    try {
      await this.cluster.client.list(virtualMachines, { limit: 1, metadataOnly: true, signal });
    } catch {
      // Still forbidden or unreachable: the current watches continue.
      return;
    }
    this.#log.info('VMs of all namespaces readable');
    for (const namespace of this.#scopes.keys()) this.#close(namespace);
    this.#mode = 'whole';
    this.#open('');
  }

  #open(namespace: string): void {
    const { cluster, listener } = this.#parts;
    this.#scopes.set(namespace, new ScopeWatch(cluster, namespace, listener, () => listener.listed()));
  }

  /** None of its VMs counts as gone: the namespace is only no longer watched. */
  #close(namespace: string): void {
    this.#scopes.get(namespace)?.release();
    this.#scopes.delete(namespace);
  }

  #report(): void {
    const unreadable = [...this.#scopes]
      .filter(([namespace, scope]) => namespace !== '' && scope.health().trouble === 'forbidden')
      .map(([namespace]) => namespace)
      .sort();
    const text = unreadable.join(', ');
    if (text === this.#reported) return;
    this.#reported = text;
    if (text === '') this.#log.info('all VDC namespaces readable again');
    else this.#log.warn({ namespaces: unreadable }, 'cannot read VDC namespaces, their VMs are not followed');
  }
}
