/** Why what is shown of a machine is not known to be true now: out of the last contact with its cluster and the heartbeat of the vm-controller. */
import { sql, type RawBuilder } from 'kysely';
import { vmControllerName } from './leader-health.ts';

export type StaleReason =
  /** No vm-controller reports: nothing is known of any cluster. */
  | 'ControllerSilent'
  /** The vm-controller reports, and does not reach the cluster. */
  | 'ClusterSilent'
  /** The vm-controller reports, and has never followed the cluster. */
  | 'ClusterUnknown'
  /** Under the name of the cluster another one answers, which a person has to accept. */
  | 'ClusterChanged'
  /** The cluster is reached, and the namespace may not be read. */
  | 'NamespaceForbidden';

export interface Staleness {
  readonly reason: StaleReason;
  /** Since the last heartbeat of the vm-controller; null where there never was one. */
  readonly heartbeatAgeMs: number | null;
  /** Of the last contact with the cluster, in ISO 8601; null where there never was one. */
  readonly contactedAt: string | null;
  readonly contactAgeMs: number | null;
  /** What the vm-controller says of the cluster; it may name it. */
  readonly detail: string;
}

/** With the table `clusters` under its name. */
export const clusterIsCurrent = sql<boolean>`cluster_is_current(clusters.state, clusters.contacted_at, clusters.current_until)`;

const age = (at: RawBuilder<unknown>) => sql`floor(extract(epoch FROM statement_timestamp() - ${at}) * 1000)`;

/** Read once for a statement, not once for each row. */
const controller = (what: RawBuilder<unknown>) =>
  sql`(SELECT ${what} FROM leaders l LEFT JOIN heartbeats h ON h.name = l.name AND h.epoch = l.epoch WHERE l.name = ${sql.lit(vmControllerName)})`;
const reportedAt = sql`greatest(l.won_at, h.at)`;

/** Null where it is current. `isStale` decides; `namespace` is where the machine is, if it is one. With the table `clusters` under its name. */
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
      ELSE 'ClusterSilent'
    END,
    'heartbeatAgeMs', ${controller(age(reportedAt))},
    'contactedAt', to_char(clusters.contacted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'contactAgeMs', ${age(sql`clusters.contacted_at`)},
    'detail', coalesce(clusters.message, '')
  ) END`;
}

/** One sentence: what is not known, and since when. `cluster` as the reader knows it. */
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
      return `the vm-controller may not read the namespace of the machine in ${cluster}`;
    case 'ClusterChanged':
      return `${cluster} is another one than before${why}`;
    case 'ClusterSilent':
      return `${contact}${why}`;
  }
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms / 1000))} s`;
}
