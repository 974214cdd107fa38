/**
 * What the RoleBindings of VDCs depend on in one cluster: the api-server's user there, and which templates the cluster
 * serves.
 */
import type { Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { isNotFound } from '@ssvirt/kube/errors';
import { ownSubject, type Subject } from '../../../fleet/identity/account.ts';
import type { VdcAccess } from '../../../kubevirt/vdc/description.ts';
import { templateInstances } from '../../../fleet/kinds.ts';

/** Credentials may be replaced by those of another account while the cluster stays engaged. */
const subjectLifetimeMs = 60_000;

export interface ClusterAccessParts {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly requestMs: number;
}

export class ClusterAccess {
  readonly #parts: ClusterAccessParts;
  #known: { readonly subject: Subject; readonly until: number } | undefined;

  constructor(parts: ClusterAccessParts) {
    this.#parts = parts;
  }

  async look(signal: AbortSignal): Promise<VdcAccess> {
    return { subject: await this.#subject(signal), servesTemplates: await this.#servesTemplates(signal) };
  }

  async #subject(signal: AbortSignal): Promise<Subject> {
    const { cluster, clock, requestMs } = this.#parts;
    if (this.#known !== undefined && clock.now() < this.#known.until) return this.#known.subject;
    const subject = await ownSubject(cluster.client, { signal, timeoutMs: requestMs });
    this.#known = { subject, until: clock.now() + subjectLifetimeMs };
    return subject;
  }

  async #servesTemplates(signal: AbortSignal): Promise<boolean> {
    const { cluster, requestMs } = this.#parts;
    const { group, version, kind } = templateInstances;
    try {
      await cluster.client.typeOf(`${group}/${version}`, kind, { signal, timeoutMs: requestMs });
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }
}
