/**
 * Explains why a shown VM status is stale, from the last contact with the cluster and the vm-controller's heartbeat.
 */
import { sql, type RawBuilder } from 'kysely';
import { vmControllerName } from './leader-health.ts';

export type StaleReason =
  /** No vm-controller reports: the state of every cluster is unknown. */
  | 'ControllerSilent'
  /** The vm-controller reports, but does not reach the cluster. */
  | 'ClusterSilent'
  /** The vm-controller reports, but has never followed the cluster. */
  | 'ClusterUnknown'
  /** Another cluster answers under the name, and a person must accept it. */
  | 'ClusterChanged'
  /** The cluster is reachable, but the namespace may not be read. */
  | 'NamespaceForbidden'
  /** The cluster is reachable, but the database refuses the row of the VM: it has an open sync failure. */
  | 'WriteFailed';

export interface Staleness {
  readonly reason: StaleReason;
  /** Since the last heartbeat of the vm-controller; null when there never was one. */
  readonly heartbeatAgeMs: number | null;
  /** The last contact with the cluster, in ISO 8601; null when there never was one. */
  readonly contactedAt: string | null;
  readonly contactAgeMs: number | null;
  /** The vm-controller's message about the cluster; it may contain the cluster's name. */
  readonly detail: string;
}

/** Needs the table `clusters` under this name in the statement. */
export const clusterIsCurrent = sql<boolean>`cluster_is_current(clusters.state, clusters.contacted_at, clusters.current_until)`;

/**
 * Whether the status of a VM is stale. Needs the table `vms` under the given name in the statement, its observation as
 * `o`, and the table `clusters`.
 */
export function vmIsStale(vms: 'vms' | 'v'): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${vms}.${name}`);
  const isUnwritten = sql`EXISTS (
    SELECT FROM sync_failures f
    WHERE f.cluster = ${column('cluster')} AND f.namespace = ${column('namespace')} AND f.vm_name = ${column('vm_name')} AND f.resolved_at IS NULL
  )`;
  return sql<boolean>`vm_is_stale(${column('deleted_at')}, o.status, ${column('namespace')}, clusters.name, ${clusterIsCurrent}, clusters.unreadable_namespaces, ${isUnwritten})`;
}

const age = (at: RawBuilder<unknown>) => sql`floor(extract(epoch FROM statement_timestamp() - ${at}) * 1000)`;

/** Evaluated once per statement, not once per row. */
const controller = (what: RawBuilder<unknown>) =>
  sql`(SELECT ${what} FROM leaders l LEFT JOIN heartbeats h ON h.name = l.name AND h.epoch = l.epoch WHERE l.name = ${sql.lit(vmControllerName)})`;
const reportedAt = sql`greatest(l.won_at, h.at)`;

/**
 * Null when the status is current. `isStale` decides; `namespace` is the VM's namespace, if it is about one. Needs the
 * table `clusters` under this name in the statement.
 */
export function stalenessOf(
  isStale: RawBuilder<boolean>,
  namespace: RawBuilder<unknown>,
): RawBuilder<Staleness | null> {
  return sql<Staleness | null>`CASE WHEN ${isStale} THEN jsonb_build_object(
    'reason', CASE
      WHEN clusters.state = 'frozen' THEN 'ClusterChanged'
      WHEN NOT coalesce(${controller(sql`${reportedAt} > statement_timestamp() - leader_silence(h.details)`)}, false) THEN 'ControllerSilent'
      WHEN clusters.name IS NULL THEN 'ClusterUnknown'
      WHEN ${clusterIsCurrent} AND ${namespace} = ANY (clusters.unreadable_namespaces) THEN 'NamespaceForbidden'
      WHEN ${clusterIsCurrent} THEN 'WriteFailed'
      ELSE 'ClusterSilent'
    END,
    'heartbeatAgeMs', ${controller(age(reportedAt))},
    'contactedAt', to_char(clusters.contacted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'contactAgeMs', ${age(sql`clusters.contacted_at`)},
    'detail', coalesce(clusters.message, '')
  ) END`;
}

/** One sentence: what is unknown, and since when. `cluster` is the name that the reader knows. */
export function stalenessText(
  { reason, heartbeatAgeMs, contactedAt, contactAgeMs, detail }: Staleness,
  cluster: string,
): string {
  const contact =
    contactedAt === null
      ? `${cluster} was never reached`
      : `${cluster} was last reached at ${contactedAt}${contactAgeMs !== null && contactAgeMs >= 0 ? ` (${seconds(contactAgeMs)} ago)` : ''}`;
  const why = detail === '' ? '' : `: ${detail}`;
  switch (reason) {
    case 'ControllerSilent':
      return heartbeatAgeMs === null
        ? 'the vm-controller has never reported'
        : `the vm-controller has not reported for ${seconds(heartbeatAgeMs)}; ${contact}`;
    case 'ClusterUnknown':
      return `the vm-controller does not follow ${cluster}`;
    case 'NamespaceForbidden':
      return `the vm-controller may not read the namespace in ${cluster}`;
    case 'WriteFailed':
      return 'the state that the cluster reported last could not be written to the database';
    case 'ClusterChanged':
      return `${cluster} is another one than before${why}`;
    case 'ClusterSilent':
      return `${contact}${why}`;
  }
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms / 1000))} s`;
}
