/**
 * Turns a KubevirtConfig and its Secret into a member of the fleet, and writes what the member found to the status. It
 * never waits for a remote cluster: members connect on their own and request a status write when something has changed.
 */
import type { Logger } from 'pino';
import type { Informer } from '@ssvirt/kube/informer/informer';
import type { Clock } from '@ssvirt/kube/clock';
import type { Cluster } from '@ssvirt/kube/cluster';
import { regarding } from '@ssvirt/kube/events/event';
import type { ReconcileContext, Request, Result } from '@ssvirt/kube/controller/request';
import { addFinalizer, hasFinalizer, isDeleting, removeFinalizer } from '@ssvirt/kube/reconcile/finalizers';
import type { Finding } from '@ssvirt/kube/reconcile/conditions';
import { patchStatus } from '@ssvirt/kube/reconcile/status-patch';
import { inUseFinding, statusOf, withCondition } from './config-status.ts';
import { isUnreadable, missingSecret, readCredentials, reservedName, versionOf } from './credentials.ts';
import {
  acceptIdentityAnnotation,
  kubevirtConfigs,
  localName,
  secretKeyOf,
  type Holder,
  type KubevirtConfig,
  type KubevirtConfigStatus,
} from './kubevirt-config.ts';
import type { Member } from '../members/member.ts';
import type { Members } from '../members/members.ts';
import type { MemberAssessment } from '../health/observation.ts';
import { aboutInterval, type HealthTimes } from '../health/health-times.ts';
import type { SecretWatch } from './secret-watch.ts';

export interface ConfigReconcilerOptions {
  readonly local: Cluster;
  readonly configs: Informer<KubevirtConfig>;
  readonly secrets: SecretWatch;
  readonly members: Members;
  readonly clock: Clock;
  readonly log: Logger;
  readonly times: HealthTimes;
  /** Only one process writes the status. */
  readonly reports: () => boolean;
  /** Whether this process protects clusters that are in use, with the finalizer and the condition of `holder`. */
  readonly holds: () => boolean;
  readonly holder: Holder;
  /** Returns the users of the named cluster. Without it no finalizer is set on KubevirtConfigs. */
  readonly inUse?: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** How soon to ask again who uses a cluster whose KubevirtConfig is being deleted. */
  readonly inUseAgainMs: number;
}

/** How soon a Secret that cannot be watched is read again. */
const unwatchedSecretMs = 30_000;

export class ConfigReconciler {
  readonly #options: ConfigReconcilerOptions;

  constructor(options: ConfigReconcilerOptions) {
    this.#options = options;
  }

  readonly reconcile = async ({ namespace = '', name }: Request, context: ReconcileContext): Promise<Result | void> => {
    const { configs, members } = this.#options;
    const config = configs.get({ namespace, name });
    this.#followSecrets();
    if (config === undefined) return members.remove(name);
    const member = await members.ensure(name, config.metadata.uid ?? '');
    member.tell({
      recorded: config.status?.identity,
      accepted: config.metadata.annotations?.[acceptIdentityAnnotation],
    });
    const again = await this.#offerCredentials(config, member, context.signal);
    if (!this.#options.reports() && !this.#options.holds()) return again;
    return isDeleting(config)
      ? this.#leave(config, member, context.signal, again)
      : this.#report(config, member, context, again);
  };

  #followSecrets(): void {
    const { configs, secrets } = this.#options;
    secrets.keep(new Set(configs.list().map((config) => secretKeyOf(config).namespace)));
  }

  /** Reads the Secret if its version is new or unknown. */
  async #offerCredentials(config: KubevirtConfig, member: Member, signal: AbortSignal): Promise<Result | undefined> {
    const { local, secrets, times } = this.#options;
    const key = secretKeyOf(config);
    // The CRD enforces this too, but an older CRD may be installed.
    if (member.name === localName) {
      member.offer(reservedName(key));
      return undefined;
    }
    const version = secrets.versionOf(key);
    if (version === null) {
      member.offer(missingSecret(key));
      return undefined;
    }
    if (version !== undefined && member.credentialsVersion === versionOf(key, version)) return undefined;
    const credentials = await readCredentials(local.client, key, { signal, timeoutMs: times.deadlineMs });
    member.offer(credentials);
    // No event announces that the Secret has become readable, or that a Secret without a watch has changed.
    if (isUnreadable(credentials)) return { requeueAfterMs: aboutInterval(times) };
    return version === undefined ? { requeueAfterMs: unwatchedSecretMs } : undefined;
  }

  async #report(
    config: KubevirtConfig,
    member: Member,
    { signal }: ReconcileContext,
    again: Result | undefined,
  ): Promise<Result | undefined> {
    const { local, inUse, holds, holder } = this.#options;
    const held =
      inUse === undefined || !holds()
        ? config
        : await addFinalizer(local.client, kubevirtConfigs, config, holder.finalizer, { signal });
    await this.#writeStatus(held, member, undefined, signal);
    return again;
  }

  async #leave(
    config: KubevirtConfig,
    member: Member,
    signal: AbortSignal,
    again: Result | undefined,
  ): Promise<Result | undefined> {
    const { local, holds, holder, inUseAgainMs } = this.#options;
    const isHeld = holds() && hasFinalizer(config, holder.finalizer);
    const finding = isHeld ? inUseFinding(holder.condition, await this.#users(member.name, signal)) : undefined;
    const written = await this.#writeStatus(config, member, finding, signal);
    if (finding !== undefined) return { requeueAfterMs: inUseAgainMs };
    // The finalizers of other holders are not our concern.
    if (isHeld && written !== undefined)
      await removeFinalizer(local.client, kubevirtConfigs, written, holder.finalizer, { signal });
    return again;
  }

  async #users(name: string, signal: AbortSignal): Promise<readonly string[] | Error> {
    const { inUse } = this.#options;
    // This process knows no users, but another process set the finalizer. That process must remove it.
    if (inUse === undefined) return new Error('this process does not know of any users');
    try {
      return await inUse(name, signal);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  /** Returns the object after the write, or undefined if it no longer exists. */
  async #writeStatus(
    config: KubevirtConfig,
    member: Member,
    inUse: Finding | undefined,
    signal: AbortSignal,
  ): Promise<KubevirtConfig | undefined> {
    const { local, members } = this.#options;
    const assessment = members.assess(member.name);
    const news = assessment !== undefined && this.#isNews(config, assessment) ? assessment : undefined;
    const status = this.#statusWith(config, member, news, inUse);
    const written = await patchStatus(local.client, kubevirtConfigs, config, status, { signal });
    const { phase, status: connection } = config.status ?? {};
    const changed = news !== undefined && (phase !== news.phase || connection !== news.status);
    if (written !== undefined && changed) this.#tell(config, news);
    return written;
  }

  #isNews(config: KubevirtConfig, { status }: MemberAssessment): boolean {
    // A process that has just started knows less than its predecessor found: a restart is not a change of the cluster.
    return this.#options.reports() && !(status === 'Connecting' && config.status?.status === 'Connected');
  }

  #statusWith(
    config: KubevirtConfig,
    member: Member,
    news: MemberAssessment | undefined,
    inUse: Finding | undefined,
  ): KubevirtConfigStatus {
    const { clock, holds, holder } = this.#options;
    const before = config.status ?? {};
    const reported = news === undefined ? before : statusOf(config, member.observation, news, clock.date());
    return holds() ? withCondition(config, reported, holder.condition, inUse, clock.date()) : reported;
  }

  /** Writes one log line and one event when the phase or status of the cluster changes. */
  #tell(config: KubevirtConfig, { phase, status, message }: MemberAssessment): void {
    const { local, log } = this.#options;
    const fields = { cluster: config.metadata.name, phase, status, reason: message };
    if (phase === 'Failed') log.warn(fields, 'cluster unusable');
    else if (phase === 'Degraded') log.warn(fields, 'cluster needs attention');
    else log.info(fields, 'cluster state changed');
    const type = phase === 'Failed' || phase === 'Degraded' ? 'Warning' : 'Normal';
    const text = message === '' ? 'the cluster can be used' : message;
    // A reason such as "Connected" would sound fine although something is wrong.
    local.recorder.event(regarding(kubevirtConfigs, config), type, phase === 'Degraded' ? phase : status, text);
  }
}
