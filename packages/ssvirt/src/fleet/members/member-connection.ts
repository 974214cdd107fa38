/**
 * The member connection: which connection is in use, which one is tried beside it, and what happens when one leads to
 * the wrong cluster. New credentials are tried beside those in use and replace them after they have led to the same
 * cluster; those in use stay while the new ones do not work.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import { createClient } from '@ssvirt/kube/client/create';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { ConnectionSource } from '@ssvirt/kube/connection';
import { requestIdentity } from '../identity/identity-request.ts';
import type { ClusterCredentials } from '../kubevirtconfig/credentials.ts';
import { reasons } from '../kubevirtconfig/reasons.ts';
import { engage, type Engagement } from './engagement.ts';
import { failureOf, type ClusterFailure } from '../health/failure.ts';
import type { HealthTimes } from '../health/health-times.ts';
import { judgeIdentity } from '../identity/identity.ts';
import type { Observation } from '../health/observation.ts';
import type { Parts } from './parts.ts';
import { watchTrouble, type Reach } from '../health/reachability.ts';
import { completed, isPartial, isSound, probeCluster, type ClusterProbe } from '../health/cluster-probe.ts';

export interface MemberConnectionOptions {
  readonly name: string;
  readonly parts: Parts;
  readonly times: HealthTimes;
  /** Records the identity of the cluster, and resolves to the identity that is recorded now. */
  readonly record: (identity: string, before: string | undefined, options: RequestOptions) => Promise<string>;
  /** The name of another member that already is this cluster. */
  readonly holderOf: (identity: string) => string | undefined;
  readonly engaged: (cluster: Cluster) => void;
  /** Called after the cluster's signal was aborted. */
  readonly disengaged: (cluster: Cluster) => void;
  /** The guard has found another cluster between two probes. */
  readonly otherClusterFound: () => void;
}

/** What the KubevirtConfig says about the identity. */
export interface IdentitySays {
  readonly recorded: string | undefined;
  readonly accepted: string | undefined;
}

export class MemberConnection {
  readonly #options: MemberConnectionOptions;
  readonly #request: Reach;
  #identity: string | undefined;
  /** The identity that is being recorded. */
  #claimed: string | undefined;
  #inUse: ConnectionSource | undefined;
  #engagement: Engagement | undefined;
  #candidate: { readonly source: ConnectionSource; readonly client: Client } | undefined;
  #probe: ClusterProbe | undefined;
  #probedAt: number | undefined;
  #secretGoneAt: number | undefined;
  /** The current probe result was completed from an earlier one. */
  #isCompleted = false;

  constructor(options: MemberConnectionOptions, signal: AbortSignal) {
    this.#options = options;
    this.#request = { signal, timeoutMs: options.times.deadlineMs };
  }

  get identity(): string | undefined {
    return this.#identity;
  }

  /** Whether this member is, or is about to be, that cluster: if two names find it at once, only the first gets it. */
  claims(identity: string): boolean {
    return this.#identity === identity || this.#claimed === identity;
  }

  get engagement(): Engagement | undefined {
    return this.#engagement;
  }

  /** Bypasses the guard, for requests about the cluster itself. */
  get client(): Client | undefined {
    return this.#engagement?.bare ?? this.#candidate?.client;
  }

  async observe(outcome: ClusterCredentials['outcome'], says: IdentitySays): Promise<Observation> {
    this.#identity ??= says.recorded;
    if ('failure' in outcome) {
      await this.#dropCandidate();
      if (this.#isRevoked(outcome.failure)) {
        await this.#disengage();
        return { ...this.#known(), secret: outcome.failure };
      }
      return { ...(await this.#checkInUse(says)), secret: outcome.failure };
    }
    this.#secretGoneAt = undefined;
    return outcome.source === this.#inUse ? this.#checkInUse(says) : this.#tryOut(outcome.source, says);
  }

  /**
   * Whoever deletes the Secret takes the access back. The delay covers tools that delete and create a Secret instead of
   * changing it.
   */
  #isRevoked({ reason }: ClusterFailure): boolean {
    if (reason !== reasons.secretNotFound) {
      this.#secretGoneAt = undefined;
      return false;
    }
    const { parts, times } = this.#options;
    const now = parts.clock.now();
    this.#secretGoneAt ??= now;
    return now - this.#secretGoneAt >= times.secretGraceMs;
  }

  async end(): Promise<void> {
    await this.#disengage();
    await this.#dropCandidate();
  }

  async #tryOut(source: ConnectionSource, says: IdentitySays): Promise<Observation> {
    const answer = await this.#askThrough(await this.#candidateFor(source));
    if (typeof answer === 'string') return this.#arrived(answer, source, says);
    if (this.#engagement === undefined) return { ...this.#known(), connection: answer };
    return { ...(await this.#checkInUse(says)), secret: answer };
  }

  async #checkInUse(says: IdentitySays): Promise<Observation> {
    const [engagement, source] = [this.#engagement, this.#inUse];
    if (engagement === undefined || source === undefined) return this.#known();
    const answer = await this.#askThrough(engagement.bare);
    if (typeof answer === 'string') return this.#arrived(answer, source, says);
    engagement.guard.doubt();
    this.#probedAt = undefined;
    return { ...this.#known(), connection: answer };
  }

  async #askThrough(client: Client): Promise<string | ClusterFailure> {
    try {
      return await requestIdentity(client, this.#request);
    } catch (error) {
      return failureOf(error);
    }
  }

  /** A cluster has answered through this source: checks whether it is the right one, and acts on it. */
  async #arrived(found: string, source: ConnectionSource, says: IdentitySays): Promise<Observation> {
    const accepted = [says.accepted, says.recorded].find((uid) => uid === found);
    const decision = judgeIdentity({ recorded: this.#identity, found, accepted });
    if (decision.kind === 'changed') {
      this.#engagement?.guard.freeze(found);
      return { ...this.#known(), connection: 'answers', otherIdentity: found };
    }
    const holder = this.#options.holderOf(found);
    if (holder !== undefined) {
      // Two processes may have recorded it under two names at once: all of them release the same one.
      await this.#disengage();
      return { connection: 'answers', duplicateOf: holder };
    }
    if (decision.kind !== 'same') {
      this.#identity = await this.#record(found);
      // Another process was faster and found another cluster.
      if (this.#identity !== found)
        return this.#arrived(found, source, { recorded: this.#identity, accepted: undefined });
    }
    await this.#use(source, found);
    const [probe, watches] = await Promise.all([this.#look(), watchTrouble(this.#connected(), this.#request)]);
    return { ...this.#known(), connection: 'answers', probe, ...defined({ watches }) };
  }

  async #record(found: string): Promise<string> {
    this.#claimed = found;
    try {
      return await this.#options.record(found, this.#identity, this.#request);
    } finally {
      this.#claimed = undefined;
    }
  }

  async #use(source: ConnectionSource, identity: string): Promise<void> {
    if (this.#engagement?.identity !== identity) await this.#engageAnew(source, identity);
    else if (this.#inUse !== source) this.#engagement.replace(source);
    this.#engagement?.guard.thaw();
    if (this.#inUse === source) return;
    this.#inUse = source;
    this.#probedAt = undefined;
    await this.#dropCandidate();
  }

  async #engageAnew(source: ConnectionSource, identity: string): Promise<void> {
    // The caches describe another cluster. They end with it, so that no object looks deleted in the new one.
    await this.#disengage();
    const { name, parts, times, otherClusterFound, engaged } = this.#options;
    this.#engagement = engage({
      name,
      source,
      identity,
      parts,
      deadlineMs: times.deadlineMs,
      changed: otherClusterFound,
    });
    engaged(this.#engagement.cluster);
  }

  async #disengage(): Promise<void> {
    const engagement = this.#engagement;
    if (engagement === undefined) return;
    this.#engagement = undefined;
    this.#inUse = undefined;
    this.#probe = undefined;
    this.#probedAt = undefined;
    const ended = engagement.end();
    // Its signal is already aborted: no caller may get this cluster while the rest of it shuts down.
    this.#options.disengaged(engagement.cluster);
    await ended;
  }

  /** Probes often while something is missing, so that a new installation is noticed soon, and rarely after that. */
  async #look(): Promise<ClusterProbe> {
    const { parts, times } = this.#options;
    const now = parts.clock.now();
    const age = now - (this.#probedAt ?? Number.NEGATIVE_INFINITY);
    if (this.#probe !== undefined && isSound(this.#probe) && age < times.probeMs) return this.#probe;
    const found = await probeCluster(this.#connected(), this.#request);
    // What cannot be checked once keeps its earlier result; the next probe decides.
    const before = this.#isCompleted || !isPartial(found) ? undefined : this.#probe;
    this.#isCompleted = before !== undefined;
    this.#probe = before === undefined ? found : completed(found, before);
    this.#probedAt = this.#isCompleted ? undefined : now;
    return this.#probe;
  }

  #connected(): Client {
    const { client } = this;
    if (client === undefined) throw new Error(`cluster "${this.#options.name}" left the fleet while it was probed`);
    return client;
  }

  #known(): Observation {
    return {
      ...defined({ identity: this.#identity, survey: this.#probe }),
    };
  }

  async #candidateFor(source: ConnectionSource): Promise<Client> {
    if (this.#candidate?.source === source) return this.#candidate.client;
    await this.#dropCandidate();
    const { name, parts } = this.#options;
    const { metrics, clock, userAgent } = parts;
    const client = createClient({ cluster: name, source, userAgent, metrics, clock, log: parts.log });
    this.#candidate = { source, client };
    return client;
  }

  async #dropCandidate(): Promise<void> {
    const candidate = this.#candidate;
    this.#candidate = undefined;
    await candidate?.client.close();
  }
}
