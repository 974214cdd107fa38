/** What all controllers of the operator share. */
import type { UrlFilter } from '@ssvirt/base/net/url-filter';
import type { Logger } from 'pino';
import type { Cluster } from '@ssvirt/kube/cluster';
import type { EventType } from '@ssvirt/kube/events/event';
import type { Metrics } from '@ssvirt/kube/metrics/metrics';
import type { Applier } from '@ssvirt/kube/reconcile/apply-child';
import { FleetError, type Fleet } from '../../fleet/fleet.ts';
import { localName } from '../../fleet/kubevirtconfig/kubevirt-config.ts';
import type { MemberCaches } from './caches.ts';
import type { Machine } from './machine-types.ts';
import type { MachineMetrics } from './status/metrics.ts';
import type { Subject } from '../../fleet/identity/account.ts';
import type { Supervisor } from './supervisor.ts';

export interface MachineOperatorContext {
  readonly fleet: Fleet;
  readonly supervisor: Supervisor;
  readonly configsNamespace: string;
  readonly defaultConfig: string | undefined;
  readonly concurrency: number;
  /** Where images of disks may be imported from. */
  readonly images: UrlFilter;
  readonly instruments: { readonly log: Logger; readonly metrics: Metrics };
  readonly metrics: MachineMetrics;
  readonly applier: Applier;
  readonly caches: (cluster: Cluster) => MemberCaches;
  /** Our user in a cluster. It is read again from time to time, because credentials may be replaced. */
  subjectIn(cluster: Cluster, ask: () => Promise<Subject>): Promise<Subject>;
  event(machine: Machine, type: EventType, reason: string, message: string): void;
  /** Why a member cannot be used, in the fleet's words; undefined if it can. */
  silence(cluster: string): string | undefined;
  whyUnavailable(cluster: string): string;
}

type Asked = Pick<Fleet, 'stateOf' | 'getClientForConfig'>;

/** A degraded cluster still answers. `local` uses the same connection as the Machines themselves. */
export function silenceOf(fleet: Asked, cluster: string): string | undefined {
  if (cluster === localName) return undefined;
  const state = fleet.stateOf(cluster);
  if (state === undefined || state.phase === 'Failed') return whyUnavailable(fleet, cluster);
  return undefined;
}

export function whyUnavailable(fleet: Asked, cluster: string): string {
  const state = fleet.stateOf(cluster);
  if (state !== undefined && state.message !== '') return `cannot use cluster "${cluster}": ${state.message}`;
  try {
    fleet.getClientForConfig(cluster);
    return `cannot use cluster "${cluster}": it has not been checked yet`;
  } catch (error) {
    if (error instanceof FleetError) return error.message;
    throw error;
  }
}
