/**
 * The statement that writes the state of TemplateInstances to their vApps. It works like vm-statement.ts but without
 * binding: a vApp has one instance, and the newest write counts.
 */
import type { WriteOutcome, VappObservation } from './contracts.ts';
import { termTable, type FencedStatement } from './fence.ts';
import { jsonParameter } from './json.ts';
import { vappIsLive } from './vm-statement.ts';

/** A row with null as place only shows that the term is held. */
export type VappAnswerRow = [place: number | null, outcome: WriteOutcome | null];

export function vappsParameter(vapps: readonly VappObservation[]): string {
  return jsonParameter(vapps.map(({ vappId, ...seen }, place) => ({ place, vapp_id: vappId, ...seen })));
}

export function vappOutcomes(count: number, rows: readonly VappAnswerRow[]): readonly WriteOutcome[] {
  const outcomes = Array.from<WriteOutcome>({ length: count }).fill('unmanaged');
  for (const [place, outcome] of rows) if (place !== null && outcome !== null) outcomes[place] = outcome;
  return outcomes;
}

/** $4 the sequence, $5 the TemplateInstances. */
export const writeVapps: FencedStatement = {
  name: 'ssvirt_write_vapps',
  text: `
WITH ${termTable},
seen AS MATERIALIZED (
  SELECT x.* FROM term CROSS JOIN json_to_recordset($5::json) AS x (
    place integer, cluster text, namespace text, name text, uid uuid, vapp_id uuid, creation text, fault text)
),
placed AS MATERIALIZED (
  -- Two that name one vApp: the label counts for more than the name.
  SELECT DISTINCT ON (vapp) s.*, coalesce(l.id, n.id) AS vapp
  FROM seen s
  CROSS JOIN LATERAL (
    SELECT r.id FROM vdcs r WHERE r.cluster = s.cluster AND r.namespace = s.namespace AND r.deleted_at IS NULL LIMIT 1
  ) d
  LEFT JOIN LATERAL (SELECT r.id FROM vapps r WHERE r.id = s.vapp_id AND r.vdc_id IS NOT DISTINCT FROM d.id AND ${vappIsLive('r')} LIMIT 1) l ON true
  LEFT JOIN LATERAL (
    SELECT r.id FROM vapps r WHERE r.vdc_id = d.id AND lower(r.name) = lower(s.name) AND r.deleted_at IS NULL LIMIT 1
  ) n ON true
  WHERE coalesce(l.id, n.id) IS NOT NULL
  ORDER BY vapp, l.id IS NULL, s.place
),
found AS MATERIALIZED (
  SELECT p.*, o.vapp_id AS bound,
    CASE
      WHEN o.vapp_id IS NULL THEN 'locked'
      WHEN (o.cluster, o.namespace, o.name, o.uid, o.creation, o.fault)
        IS NOT DISTINCT FROM (p.cluster, p.namespace, p.name, p.uid, p.creation, p.fault) THEN 'unchanged'
      WHEN (o.epoch, o.sequence) >= ($2, $4) THEN 'older'
      ELSE 'locked'
    END AS outcome
  FROM placed p LEFT JOIN LATERAL (SELECT * FROM vapp_observed r WHERE r.vapp_id = p.vapp LIMIT 1) o ON true
),
held AS MATERIALIZED (
  SELECT f.* FROM found f CROSS JOIN LATERAL (
    SELECT FROM vapp_observed r WHERE r.vapp_id = f.bound AND (r.epoch, r.sequence) < ($2, $4)
    LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ) o
  WHERE f.outcome = 'locked'
),
sheltered AS MATERIALIZED (
  SELECT f.* FROM found f CROSS JOIN LATERAL (
    SELECT FROM vapps r WHERE r.id = f.vapp AND ${vappIsLive('r')} LIMIT 1 FOR KEY SHARE SKIP LOCKED
  ) a
  WHERE f.bound IS NULL
),
written AS (
  INSERT INTO vapp_observed AS o (vapp_id, cluster, namespace, name, uid, creation, fault, epoch, sequence)
  SELECT vapp, cluster, namespace, name, uid, creation, fault, $2, $4 FROM held
  UNION ALL
  SELECT vapp, cluster, namespace, name, uid, creation, fault, $2, $4 FROM sheltered
  ON CONFLICT (vapp_id) DO UPDATE SET
    cluster = excluded.cluster, namespace = excluded.namespace, name = excluded.name, uid = excluded.uid, creation = excluded.creation,
    fault = excluded.fault, epoch = excluded.epoch, sequence = excluded.sequence, observed_at = now()
  WHERE (o.epoch, o.sequence) < (excluded.epoch, excluded.sequence)
)
SELECT NULL::integer, NULL::text FROM term
UNION ALL SELECT place, outcome FROM found
UNION ALL SELECT place, 'updated' FROM held
UNION ALL SELECT place, 'created' FROM sheltered`,
};
