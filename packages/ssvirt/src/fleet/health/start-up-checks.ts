/**
 * What a process logs about the supervisor and its clusters when it starts: one line for each check that passes, one
 * warning for each that fails. The conditions of the KubevirtConfigs and `ssvirt fleet status` show the same and stay
 * up to date; this is for the log.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { Logger } from 'pino';
import { sleep, systemClock, type Clock } from '@ssvirt/kube/clock';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import type { Fleet } from '../fleet.ts';
import { localName } from '../kubevirtconfig/kubevirt-config.ts';
import type { MemberAssessment } from './observation.ts';
import { conditionTypes, reasons } from '../kubevirtconfig/reasons.ts';
import { checkConfigs, checkDefinitions, type Check } from './supervisor-checks.ts';

export interface StartUpChecksOptions {
  readonly fleet: Pick<Fleet, 'local' | 'cluster' | 'listConfigs' | 'stateOf'>;
  /** The namespace of the KubevirtConfigs. */
  readonly namespace: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /**
   * How long to wait for the first probe of the clusters; a slower one is logged as not probed. The default is 30 s.
   */
  readonly waitMs?: number;
}

/** `startUpChecks` runs once on every replica. It ends by itself, and no finding ends the process. */
export function startUpChecks(options: StartUpChecksOptions): Runnable {
  return { name: 'start-up-checks', needsLeadership: false, run: ({ signal }) => check(options, signal) };
}

async function check(options: StartUpChecksOptions, signal: AbortSignal): Promise<void> {
  const { fleet, namespace, log } = options;
  try {
    const found = await checkDefinitions(fleet.local.client, { signal, timeoutMs: 10_000 });
    for (const one of found) say(log, one);
    await lookedAt(options, signal);
    if (signal.aborted) return;
    const configs = fleet.listConfigs();
    say(log, checkConfigs(configs.length, fleet.cluster(localName) !== undefined, namespace));
    const names = configs.map(({ metadata }) => metadata.name ?? '').toSorted();
    for (const name of names) sayCluster(log, name, fleet.stateOf(name));
  } catch (error) {
    if (!signal.aborted) log.error({ err: error }, 'start-up checks failed');
  }
}

/** Waits until the KubevirtConfigs are known and every cluster has answered or failed. */
async function lookedAt(
  { fleet, clock = systemClock, waitMs = 30_000 }: StartUpChecksOptions,
  signal: AbortSignal,
): Promise<void> {
  const giveUpAt = clock.now() + waitMs;
  const known = (): boolean => {
    const names = fleet.listConfigs().map(({ metadata }) => metadata.name ?? '');
    return (names.length > 0 || fleet.cluster(localName) !== undefined) && names.every((name) => isKnown(fleet, name));
  };
  while (!signal.aborted && !known() && clock.now() < giveUpAt) await sleep(clock, 100, signal);
}

function isKnown(fleet: StartUpChecksOptions['fleet'], name: string): boolean {
  const phase = fleet.stateOf(name)?.phase;
  return phase !== undefined && phase !== 'Pending';
}

function say(log: Logger, { subject, ok, message, missingFields }: Check): void {
  const fields = { check: subject, found: message, ...defined({ missingFields }) };
  if (ok) log.info(fields, 'start-up check passed');
  else log.warn(fields, 'start-up check failed');
}

/** Differing versions between clusters are a warning, although each cluster could be used. */
const warnings: readonly string[] = [reasons.versionsDiffer, reasons.previousCredentials];
const spoken: readonly string[] = [conditionTypes.reachable, conditionTypes.kubeVirtReady, conditionTypes.compatible];

function sayCluster(log: Logger, cluster: string, state: MemberAssessment | undefined): void {
  if (state === undefined) return log.warn({ cluster }, 'cluster not probed yet');
  for (const { type, status, reason, message } of state.findings) {
    if (!spoken.includes(type)) continue;
    const fields = { cluster, check: type, reason, found: message };
    if (status === 'True' && !warnings.includes(reason)) log.info(fields, 'start-up check passed');
    else log.warn(fields, 'start-up check failed');
  }
}
