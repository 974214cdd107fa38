/**
 * `VdcWatch` caches what exists of all VDCs in a cluster, and marks a VDC due when it differs from what was applied.
 * Caches hold a few fields of each object. An event is only a reason to check: the comparison is with the database, and
 * the process that claims the VDC then decides.
 */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Wakeup } from '@ssvirt/base/async/wakeup';
import type { Informer } from '@ssvirt/kube/informer/informer';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { ObjectKey } from '@ssvirt/kube/object';
import { markDue } from '../../../db/work-queue/reconciliations.ts';
import type { Tables } from '../../../db/schema/schema.ts';
import { readPlaces, type VdcPlace } from '../../../db/vdcs/vdc-applied.ts';
import { vdcsOfCluster } from '../../../db/vdcs/vdc-work.ts';
import { managedSelector } from '../../../kubevirt/vdc/labels.ts';
import { childKinds, childNames, templatesKind, type VdcKind } from '../../../kubevirt/vdc/objects.ts';
import { vdcTypes } from './vdc-types.ts';
import { isAsApplied, liveObject, type LiveObject } from '../engine/live-object.ts';
import { pauseAfter } from '../engine/pauses.ts';
import type { TenancySettings } from '../engine/settings.ts';
import type { NamespaceSweep } from '../sweep/namespace-sweep.ts';

export interface VdcWatchParts {
  readonly db: Kysely<Tables>;
  readonly cluster: Cluster;
  readonly sweeper: NamespaceSweep;
  readonly settings: TenancySettings;
  readonly clock: Clock;
  readonly log: Logger;
  /** Whether this process is working on the VDC right now; then changes are probably its own. */
  readonly isBusy: (vdcId: string) => boolean;
  readonly drifted: (count: number) => void;
}

const kinds: readonly VdcKind[] = ['Namespace', ...childKinds, templatesKind];
const byVdc = 'vdc';
const retryMs = 1_000;
const longestRetryMs = 5_000;

export class VdcWatch {
  readonly #parts: VdcWatchParts;
  readonly #informers: Readonly<Record<VdcKind, Informer<LiveObject>>>;
  readonly #wakeup = new Wakeup();
  #noticed = new Set<string>();
  #failures = 0;

  constructor(parts: VdcWatchParts) {
    this.#parts = parts;
    const { informers } = parts.cluster;
    const open = (kind: VdcKind): Informer<LiveObject> => {
      const informer = informers.informer(vdcTypes[kind], { labelSelector: managedSelector, projection: liveObject });
      informer.addIndex(byVdc, ({ vdcId }) => [vdcId]);
      return informer;
    };
    this.#informers = {
      Namespace: open('Namespace'),
      RoleBinding: open('RoleBinding'),
      [templatesKind]: open(templatesKind),
      ResourceQuota: open('ResourceQuota'),
      LimitRange: open('LimitRange'),
      NetworkPolicy: open('NetworkPolicy'),
      ImporterPolicy: open('ImporterPolicy'),
    };
  }

  cached(kind: VdcKind, key: ObjectKey): LiveObject | undefined {
    const informer = this.#informers[kind];
    if (this.#parts.cluster.signal.aborted || !informer.hasSynced) return undefined;
    return informer.get(key);
  }

  /** Runs until the signal is aborted, which happens when the cluster leaves. */
  async run(signal: AbortSignal): Promise<void> {
    const { settings, clock } = this.#parts;
    for (const kind of kinds) this.#listen(kind);
    const first = this.#noticeAll(signal);
    while (!signal.aborted) {
      if (this.#noticed.size === 0)
        await this.#wakeup.rest((rung) => sleep(clock, settings.idleMs, AbortSignal.any([signal, rung])));
      if (this.#noticed.size === 0) continue;
      await sleep(clock, settings.debounceMs, signal);
      if (!signal.aborted) await this.#compare(signal);
    }
    await first;
    for (const informer of Object.values(this.#informers)) informer.release();
  }

  /** Checks every VDC once: deletions before the watch began cause no event. */
  async #noticeAll(signal: AbortSignal): Promise<void> {
    const { db, cluster, clock, log } = this.#parts;
    try {
      await this.#informers.Namespace.synced(signal);
    } catch (error) {
      if (!signal.aborted) log.warn({ err: error }, 'namespaces of the cluster were never listed');
      return;
    }
    while (!signal.aborted) {
      try {
        for (const id of await vdcsOfCluster(db, cluster.name)) this.#noticed.add(id);
        return this.#wakeup.ring();
      } catch (error) {
        log.warn({ err: error }, 'cannot read VDCs from the database, retrying');
        await sleep(clock, retryMs, signal);
      }
    }
  }

  #listen(kind: VdcKind): void {
    this.#informers[kind].addHandler({
      name: 'tenancy',
      added: (object) => this.#notice(object),
      updated: (before, after) => {
        this.#notice(before);
        this.#notice(after);
      },
      deleted: (object) => this.#notice(object),
    });
  }

  #notice({ vdcId }: LiveObject): void {
    if (!uuid.test(vdcId)) return;
    this.#noticed.add(vdcId);
    this.#wakeup.ring();
  }

  async #compare(signal: AbortSignal): Promise<void> {
    const { db, isBusy, clock, log } = this.#parts;
    const all = [...this.#noticed];
    const ids = all.filter((id) => !isBusy(id));
    this.#noticed = new Set(all.filter((id) => isBusy(id)));
    if (ids.length === 0) return;
    try {
      const places = new Map((await readPlaces(db, ids)).map((place) => [place.id as string, place]));
      const due = [...places.values()].filter((place) => this.#differs(place)).map(({ id }) => id);
      await markDue(db, 'vdc', due);
      if (due.length > 0) this.#parts.drifted(due.length);
      for (const id of ids) await this.#sweep(id, places.get(id), signal);
      this.#parts.sweeper.forgetOthers(this.#informers.Namespace);
      this.#failures = 0;
    } catch (error) {
      for (const id of ids) this.#noticed.add(id);
      if (signal.aborted) return;
      // A lasting failure is logged as a warning only once.
      const level = this.#failures === 0 ? 'warn' : 'debug';
      log[level]({ err: error }, 'cannot compare the cluster with its VDCs, retrying');
      await sleep(clock, pauseAfter(this.#failures++, retryMs, longestRetryMs), signal);
    }
  }

  #differs(place: VdcPlace): boolean {
    if (place.cluster !== this.#parts.cluster.name || place.state === 'deleted') return false;
    // Any event may bring the deletion forward.
    if (place.state === 'absent') return true;
    return kinds.some((kind) => {
      const informer = this.#informers[kind];
      if (!informer.hasSynced) return false;
      const live = informer.get(keyOf(kind, place.namespace));
      if (live === undefined && kind === templatesKind && place.objects[kind] === undefined) return false;
      return live === undefined || live.isEnding || !isAsApplied(live, place.objects[kind]);
    });
  }

  async #sweep(id: string, place: VdcPlace | undefined, signal: AbortSignal): Promise<void> {
    for (const namespace of this.#informers.Namespace.byIndex(byVdc, id))
      await this.#parts.sweeper.look(namespace, place, signal);
  }
}

/** A label can contain anything, and its value is used in a query. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function keyOf(kind: VdcKind, namespace: string): ObjectKey {
  return kind === 'Namespace' ? { name: namespace } : { namespace, name: childNames[kind] };
}
