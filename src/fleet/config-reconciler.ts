/**
 * KubevirtConfig and Secret to a member of the fleet, and what the member has found to the status. It never waits for a remote cluster: members
 * do that by themselves and ask to be written down when something has changed.
 */
import type { Logger } from 'pino';
import type { Informer } from '../kube/cache/informer.ts';
import type { Clock } from '../kube/clock.ts';
import type { Cluster } from '../kube/cluster.ts';
import { regarding } from '../kube/events/event.ts';
import type { ReconcileContext, Request, Result } from '../kube/controller/request.ts';
import { addFinalizer, hasFinalizer, isDeleting, removeFinalizer } from '../kube/reconcile/finalizers.ts';
import type { Finding } from '../kube/reconcile/conditions.ts';
import { patchStatus } from '../kube/reconcile/status-patch.ts';
import { inUseFinding, statusOf } from './config-status.ts';
import { isUnreadable, missingSecret, readCredentials, reservedName, versionOf } from './credentials.ts';
import {
  acceptIdentityAnnotation,
  inUseFinalizer,
  kubevirtConfigs,
  localName,
  secretKeyOf,
  type KubevirtConfig,
} from './kubevirt-config.ts';
import type { Member } from './member.ts';
import type { Members } from './members.ts';
import type { Assessment } from './observation.ts';
import { aboutInterval, type HealthTimes } from './health-times.ts';
import type { SecretWatch } from './secret-watch.ts';

export interface ConfigReconcilerOptions {
  readonly local: Cluster;
  readonly configs: Informer<KubevirtConfig>;
  readonly secrets: SecretWatch;
  readonly members: Members;
  readonly clock: Clock;
  readonly log: Logger;
  readonly times: HealthTimes;
  /** Only one process writes the status and the finalizer: the one that leads. */
  readonly reports: () => boolean;
  /** Who uses the cluster of that name. Without it nothing holds a KubevirtConfig. */
  readonly inUse?: (name: string, signal: AbortSignal) => Promise<readonly string[]>;
  /** How soon to ask again who uses a cluster that is to go. */
  readonly inUseAgainMs: number;
}

/** How soon a Secret is read again that cannot be watched. */
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
    if (!this.#options.reports()) return again;
    return isDeleting(config)
      ? this.#leave(config, member, context.signal)
      : this.#report(config, member, context, again);
  };

  #followSecrets(): void {
    const { configs, secrets } = this.#options;
    secrets.keep(new Set(configs.list().map((config) => secretKeyOf(config).namespace)));
  }

  /** Reads the Secret where its version is new, or where that cannot be known. */
  async #offerCredentials(config: KubevirtConfig, member: Member, signal: AbortSignal): Promise<Result | undefined> {
    const { local, secrets, times } = this.#options;
    const key = secretKeyOf(config);
    // The definition says so too, but it may be an older one that is installed.
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
    // No event will tell that it can be read now, or that what nobody can watch has changed.
    if (isUnreadable(credentials)) return { requeueAfterMs: aboutInterval(times) };
    return version === undefined ? { requeueAfterMs: unwatchedSecretMs } : undefined;
  }

  async #report(
    config: KubevirtConfig,
    member: Member,
    { signal }: ReconcileContext,
    again: Result | undefined,
  ): Promise<Result | undefined> {
    const { local, inUse } = this.#options;
    const held =
      inUse === undefined
        ? config
        : await addFinalizer(local.client, kubevirtConfigs, config, inUseFinalizer, { signal });
    await this.#writeStatus(held, member, [], signal);
    return again;
  }

  async #leave(config: KubevirtConfig, member: Member, signal: AbortSignal): Promise<Result | undefined> {
    if (!hasFinalizer(config, inUseFinalizer)) return undefined;
    const finding = inUseFinding(await this.#users(member.name, signal));
    if (finding !== undefined) {
      await this.#writeStatus(config, member, [finding], signal);
      return { requeueAfterMs: this.#options.inUseAgainMs };
    }
    await removeFinalizer(this.#options.local.client, kubevirtConfigs, config, inUseFinalizer, { signal });
    return undefined;
  }

  async #users(name: string, signal: AbortSignal): Promise<readonly string[] | Error> {
    const { inUse } = this.#options;
    // Nobody here knows of users, yet somebody put the finalizer on: that one has to take it off.
    if (inUse === undefined) return new Error('this process does not know of any users');
    try {
      return await inUse(name, signal);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    }
  }

  async #writeStatus(
    config: KubevirtConfig,
    member: Member,
    more: readonly Finding[],
    signal: AbortSignal,
  ): Promise<void> {
    const { local, members, clock } = this.#options;
    const assessment = members.assess(member.name);
    if (assessment === undefined) return;
    // A process that has just begun knows nothing against what the one before it found: a restart is no news of the clusters.
    if (assessment.status === 'Connecting' && config.status?.status === 'Connected' && more.length === 0) return;
    const status = statusOf(config, member.observation, assessment, more, clock.date());
    const written = await patchStatus(local.client, kubevirtConfigs, config, status, { signal });
    const { phase: phaseBefore, status: statusBefore } = config.status ?? {};
    const changed = phaseBefore !== assessment.phase || statusBefore !== assessment.status;
    if (written !== undefined && changed) this.#tell(config, assessment);
  }

  /** One line and one event when the cluster comes to stand otherwise. */
  #tell(config: KubevirtConfig, { phase, status, message }: Assessment): void {
    const { local, log } = this.#options;
    const fields = { cluster: config.metadata.name, phase, status, reason: message };
    if (phase === 'Failed') log.warn(fields, 'a cluster cannot be used');
    else if (phase === 'Degraded') log.warn(fields, 'a cluster needs a look');
    else log.info(fields, 'the state of a cluster has changed');
    const type = phase === 'Failed' || phase === 'Degraded' ? 'Warning' : 'Normal';
    const text = message === '' ? 'the cluster can be used' : message;
    // "Connected" would sound well where something is amiss.
    local.recorder.event(regarding(kubevirtConfigs, config), type, phase === 'Degraded' ? phase : status, text);
  }
}
