/**
 * `NamespaceSweep` finds orphaned namespaces of this installation, for example created by a process that was paused and
 * continued after the VDC was deleted. A namespace whose row is deleted is deleted by its uid, and only if it contains
 * no VMs. A namespace without a row is reported and kept, because the database may be an older one that was restored.
 */
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isConflict, isNotFound } from '@ssvirt/kube/errors';
import type { Tables } from '../../../db/schema/schema.ts';
import { readPlaces, type VdcPlace } from '../../../db/vdcs/vdc-applied.ts';
import { installationId } from '../../../db/vdcs/vdc-work.ts';
import { vdcTypes } from '../vdcs/vdc-types.ts';
import { virtualMachines } from '../../../fleet/kinds.ts';
import type { LiveObject } from '../engine/live-object.ts';

export interface NamespaceSweepParts {
  readonly db: Kysely<Tables>;
  readonly cluster: Cluster;
  readonly requestMs: number;
  readonly log: Logger;
  readonly orphans: (count: number) => void;
  /** False if the identity of the cluster has changed. */
  readonly mayWrite: () => Promise<boolean>;
}

export class NamespaceSweep {
  readonly #parts: NamespaceSweepParts;
  /** The namespaces that were reported, by uid. */
  readonly #reported = new Set<string>();
  #installation: string | undefined;

  constructor(parts: NamespaceSweepParts) {
    this.#parts = parts;
  }

  async look(namespace: LiveObject, place: VdcPlace | undefined, signal: AbortSignal): Promise<void> {
    const { db, cluster } = this.#parts;
    this.#installation ??= await installationId(db);
    if (namespace.installationId !== this.#installation || namespace.isEnding) return;
    if (place === undefined) return this.#report(namespace, 'no virtual data center of that id is known');
    if (place.cluster !== cluster.name)
      return this.#report(namespace, `its virtual data center is in cluster "${place.cluster}"`);
    if (place.namespace !== namespace.metadata.name)
      return this.#report(namespace, `its virtual data center has the namespace "${place.namespace}"`);
    if (place.state === 'deleted') await this.#delete(namespace, signal);
  }

  /** A namespace that no longer exists is no orphan. */
  forgetOthers(namespaces: Informer<LiveObject>): void {
    const there = new Set(namespaces.list().map(({ metadata }) => metadata.uid));
    for (const uid of this.#reported) if (!there.has(uid)) this.#reported.delete(uid);
    this.#parts.orphans(this.#reported.size);
  }

  #report({ metadata, vdcId }: LiveObject, why: string): void {
    if (metadata.uid === undefined || this.#reported.has(metadata.uid)) return;
    this.#reported.add(metadata.uid);
    this.#parts.orphans(this.#reported.size);
    this.#parts.log.warn(
      { namespace: metadata.name, vdc: vdcId, why },
      'kept a namespace of this installation without a VDC, manual check needed',
    );
  }

  async #delete(namespace: LiveObject, signal: AbortSignal): Promise<void> {
    const { db, cluster, requestMs, log, mayWrite } = this.#parts;
    const { name = '', uid = '' } = namespace.metadata;
    const options = { signal, timeoutMs: requestMs };
    const machines = await cluster.client
      .list(virtualMachines, { ...options, namespace: name, limit: 1 })
      .catch((error: unknown) => {
        if (isNotFound(error)) return { items: [] };
        throw error;
      });
    if (machines.items.length > 0)
      return this.#report(namespace, 'its virtual data center is gone, but there are virtual machines in it');
    // Reads the row again: it may have changed since the comparison began.
    const [row] = await readPlaces(db, [namespace.vdcId]);
    if (row?.state !== 'deleted' || row.cluster !== cluster.name || !(await mayWrite())) return;
    try {
      await cluster.client.delete(vdcTypes.Namespace, { name }, { ...options, uid });
      log.warn({ namespace: name, vdc: namespace.vdcId }, 'deleted orphaned VDC namespace');
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
  }
}
