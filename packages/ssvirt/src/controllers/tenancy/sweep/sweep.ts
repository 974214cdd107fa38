/**
 * `Sweep` periodically searches a cluster, page by page, for orphans: objects with the label of an installation that no
 * row wants.
 */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { sleep, type Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isConflict, isNotFound } from '@ssvirt/kube/errors';
import { keyOfObject, type KubeObject } from '@ssvirt/kube/object';
import type { Tables } from '../../../db/schema/schema.ts';
import { installationId } from '../../../db/vdcs/vdc-work.ts';
import { labels } from '../../../kubevirt/tenant-vm/labels.ts';
import { refusalOf } from '../engine/failures.ts';
import type { TenancySettings } from '../engine/settings.ts';
import { isAtWork } from '../vapps/instance-state.ts';
import { secrets, templateInstances, type TemplateInstance } from '../../../fleet/kinds.ts';
import { releaseInstance } from '../vapps/release-instance.ts';
import { deleteLateSecrets } from './late-secrets.ts';
import { SweepClient } from './sweep-client.ts';
import { sweptKinds, type SweptKind } from './swept-kind.ts';
import { decideOn, type OrphanDecision } from './orphan-decision.ts';

export interface SweepParts {
  readonly db: Kysely<Tables>;
  readonly cluster: Cluster;
  readonly settings: Pick<TenancySettings, 'sweepMs' | 'requestMs'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** False if the identity of the cluster has changed. */
  readonly mayWrite: () => Promise<boolean>;
  /** How many orphans of a kind are kept. */
  readonly orphans: (kind: string, count: number) => void;
  readonly swept: (kind: string) => void;
}

const pageSize = 500;

export class Sweep {
  readonly #parts: SweepParts;
  /** The orphans that were reported, by uid. */
  #reported = new Set<string>();

  constructor(parts: SweepParts) {
    this.#parts = parts;
  }

  /** Runs until the signal is aborted, the first time at once. */
  async run(signal: AbortSignal): Promise<void> {
    const { settings, clock, log } = this.#parts;
    while (!signal.aborted) {
      try {
        await this.look(signal);
      } catch (error) {
        if (!signal.aborted) log.warn({ err: error }, 'cannot list orphaned objects, retrying later');
      }
      // Jitter, so that replicas do not sweep at the same time.
      await sleep(clock, settings.sweepMs * (0.8 + Math.random() * 0.4), signal);
    }
  }

  /** One sweep of the cluster. */
  async look(signal: AbortSignal): Promise<void> {
    const { db, mayWrite, orphans } = this.#parts;
    if (!(await mayWrite())) return;
    const installation = await installationId(db);
    const found = new Set<string>();
    for (const kind of sweptKinds) {
      const uids = await this.#lookAt(kind, installation, signal);
      orphans(kind.type.kind, uids.length);
      for (const uid of uids) found.add(uid);
    }
    await deleteLateSecrets(this.#parts, signal);
    // An orphan that disappears and comes back is reported again.
    this.#reported = found;
  }

  /** Resolves to the uids of the orphans that are kept. */
  async #lookAt(kind: SweptKind, installation: string, signal: AbortSignal): Promise<readonly string[]> {
    const { db, cluster, settings } = this.#parts;
    const options = { signal, timeoutMs: settings.requestMs, limit: pageSize, metadataOnly: true };
    const scope = { installationId: installation, cluster: cluster.name };
    const orphans: string[] = [];
    try {
      const pages = cluster.client.pages(kind.type, { ...options, labelSelector: labels.installationId });
      for await (const { items } of pages) {
        const places = await kind.placesOf(
          db,
          items.map(({ metadata }) => metadata),
        );
        for (const object of items) {
          const said = decideOn(object.metadata, places.get(object.metadata.uid ?? ''), scope);
          if (said.decision === 'unwanted') await this.#delete(kind, object, scope, signal);
          if (said.decision === 'orphan') orphans.push(this.#report(kind, object, said));
        }
      }
    } catch (error) {
      // Not every cluster serves templates.
      if (!isNotFound(error)) throw error;
    }
    return orphans;
  }

  #report(
    { type }: SweptKind,
    { metadata }: KubeObject,
    { why }: Extract<OrphanDecision, { decision: 'orphan' }>,
  ): string {
    const { name, namespace, uid = '' } = metadata;
    if (!this.#reported.has(uid))
      this.#parts.log.warn(
        { kind: type.kind, namespace, name, why },
        'kept an object with the label of an installation but without a row, manual check needed',
      );
    return uid;
  }

  async #delete(
    kind: SweptKind,
    object: KubeObject,
    scope: Parameters<typeof decideOn>[2],
    signal: AbortSignal,
  ): Promise<void> {
    const { db, cluster, mayWrite, log, swept } = this.#parts;
    const { name, namespace, uid = '' } = object.metadata;
    // Reads the row again: it may have changed since the page was read.
    const place = (await kind.placesOf(db, [object.metadata])).get(uid);
    if (decideOn(object.metadata, place, scope).decision !== 'unwanted' || !(await mayWrite())) return;
    try {
      if (!(await this.#remove(kind, object, signal))) return;
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return;
      const refused = refusalOf(error, cluster.name);
      if (refused === undefined) throw error;
      // A failure does not block the objects after it.
      return log.warn({ err: error, kind: kind.type.kind, namespace, name }, 'cannot delete orphaned object');
    }
    swept(kind.type.kind);
    log.warn({ kind: kind.type.kind, namespace, name, row: place?.id }, 'deleted orphaned object');
  }

  /** Resolves to false if the object is not deleted now. */
  async #remove({ type }: SweptKind, object: KubeObject, signal: AbortSignal): Promise<boolean> {
    const { cluster, settings } = this.#parts;
    const client = new SweepClient(cluster, { signal, timeoutMs: settings.requestMs });
    if (type.kind !== templateInstances.kind) {
      await client.delete(type, object);
      return true;
    }
    const instance = await client.get(templateInstances, keyOfObject(object));
    if (instance === undefined || instance.metadata.uid !== object.metadata.uid) return false;
    // It may still be creating objects. The next sweep deletes it together with them.
    if (isAtWork(instance, new Date(instance.metadata.creationTimestamp ?? 0))) return false;
    await deleteParameters(client, instance);
    await releaseInstance({ cluster, client, settings }, instance);
    return true;
  }
}

/** Deletes the Secret of the TemplateInstance if the instance does not own it yet. */
async function deleteParameters(client: SweepClient, { metadata, spec }: TemplateInstance): Promise<void> {
  const { namespace = '', labels: own } = metadata;
  const name = spec?.secret?.name;
  const found = name === undefined ? undefined : await client.get(secrets, { namespace, name });
  const vapp = found?.metadata.labels?.[labels.vappId];
  if (found !== undefined && vapp !== undefined && vapp === own?.[labels.vappId]) await client.delete(secrets, found);
}
