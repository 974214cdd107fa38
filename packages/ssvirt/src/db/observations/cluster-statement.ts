/** The state of a cluster, in one row. */
import type { ClusterState, RecordedCluster } from './contracts.ts';
import { termTable, type FencedStatement } from './fence.ts';
import { storableText } from './json.ts';

/**
 * The identity is recorded once. Another one is written only when a person accepted it. $4 name, $5 identity, $6 state,
 * $7 message, $8 the namespaces that cannot be read, $9 whether the identity was accepted elsewhere.
 */
export const writeCluster: FencedStatement = {
  name: 'ssvirt_write_cluster',
  text: `
WITH ${termTable},
written AS (
  INSERT INTO clusters AS c (name, identity, state, message, unreadable_namespaces, synced_at, epoch)
  SELECT $4::text, $5::text, $6::text, $7::text, $8::text[], CASE WHEN $6 = 'synced' THEN now() END, $2 FROM term
  ON CONFLICT (name) DO UPDATE SET
    identity = CASE WHEN c.identity IS NULL OR c.accepted_identity = excluded.identity OR $9::boolean THEN coalesce(excluded.identity, c.identity) ELSE c.identity END,
    accepted_identity = nullif(c.accepted_identity, excluded.identity),
    state = excluded.state, message = excluded.message, unreadable_namespaces = excluded.unreadable_namespaces,
    state_since = CASE WHEN c.state = excluded.state THEN c.state_since ELSE now() END,
    synced_at = coalesce(excluded.synced_at, c.synced_at),
    epoch = excluded.epoch, updated_at = now()
  WHERE (c.state, c.message, c.unreadable_namespaces) IS DISTINCT FROM (excluded.state, excluded.message, excluded.unreadable_namespaces)
    OR c.accepted_identity = excluded.identity
    OR (c.identity IS NULL AND excluded.identity IS NOT NULL)
    OR ($9::boolean AND c.identity <> excluded.identity)
)
SELECT 1 FROM term`,
};

/**
 * $4 name, $5 when the contact began in seconds since 1970, $6 for how many seconds it counts. The time may go
 * backwards when the database's clock is set.
 */
export const writeContact: FencedStatement = {
  name: 'ssvirt_write_contact',
  text: `
WITH ${termTable},
written AS (
  UPDATE clusters SET contacted_at = to_timestamp($5::float8), current_until = to_timestamp($5::float8) + make_interval(secs => $6::float8)
  FROM term WHERE name = $4::text AND state = 'synced'
  RETURNING 1
)
SELECT (SELECT 1 FROM written) FROM term`,
};

/** $4 name, $5 the details. */
export const writeClusterDetails: FencedStatement = {
  name: 'ssvirt_write_cluster_details',
  text: `
WITH ${termTable},
written AS (
  INSERT INTO cluster_details AS d (cluster, details, read_at)
  SELECT $4::text, $5::jsonb, now() FROM term
  ON CONFLICT (cluster) DO UPDATE SET details = excluded.details, read_at = excluded.read_at
)
SELECT 1 FROM term`,
};

export function clusterValues({
  name,
  identity,
  state,
  message,
  unreadableNamespaces,
  accepted = false,
}: ClusterState): readonly unknown[] {
  return [name, identity ?? null, state, storableText(message), unreadableNamespaces, accepted];
}

export interface ClusterStateRow {
  readonly name: string;
  readonly identity: string | null;
  readonly accepted_identity: string | null;
  readonly state: ClusterState['state'];
  readonly message: string;
  readonly unreadable_namespaces: readonly string[];
}

export const readClusters =
  'SELECT name, identity, accepted_identity, state, message, unreadable_namespaces FROM clusters ORDER BY name';

export function recordedCluster(row: ClusterStateRow): RecordedCluster {
  return {
    name: row.name,
    ...(row.identity === null ? {} : { identity: row.identity }),
    ...(row.accepted_identity === null ? {} : { acceptedIdentity: row.accepted_identity }),
    state: row.state,
    message: row.message,
    unreadableNamespaces: row.unreadable_namespaces,
  };
}
