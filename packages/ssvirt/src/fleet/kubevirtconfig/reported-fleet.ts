/**
 * The fleet of an operator with leader election, and its reporter: only one of all such processes writes cluster
 * status.
 */
import { defined } from '@ssvirt/base/values/defined';
import type { ConnectedCluster } from '@ssvirt/kube/connect-cluster';
import type { Runnable } from '@ssvirt/kube/manager/runnable';
import { createFleet, type FleetOptions } from '../create-fleet.ts';
import type { Fleet } from '../fleet.ts';
import { FleetReporter } from './reporter.ts';
import type { ProcessTimes } from '../identity/with-own-cluster.ts';

export interface ReportedFleetOptions extends Pick<
  FleetOptions,
  'namespace' | 'component' | 'log' | 'metrics' | 'holder' | 'inUse' | 'defaultConfig'
> {
  readonly local: ConnectedCluster;
  readonly times: ProcessTimes;
}

export interface ReportedFleet {
  readonly fleet: Fleet;
  /** Runs alongside the fleet. */
  readonly reporter: Runnable;
}

export function createReportedFleet({ times, ...options }: ReportedFleetOptions): ReportedFleet {
  const { local, namespace, component, log, metrics } = options;
  const { election, health, reflector } = times;
  const reporter = new FleetReporter({
    client: local.bare,
    namespace,
    log,
    metrics,
    ...defined({ election }),
  });
  const fleet = createFleet({
    ...options,
    userAgent: component,
    reports: reporter.reports,
    holds: reporter.holds,
    ...defined({ times: health, reflector }),
  });
  return { fleet, reporter: reporter.for(fleet) };
}
