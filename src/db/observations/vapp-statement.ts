/** The statement that writes what template instances say of their vApps; as vm-statement.ts, without binding: a vApp has one, and the newest write counts. */
import type { Outcome, VappObservation } from './contracts.ts';
import { termTable, type FencedStatement } from './fence.ts';
import { jsonParameter } from './json.ts';

/** None: no place, that the term is held. */
export type VappAnswerRow = [place: number | null, outcome: Outcome | null];

export function vappsParameter(vapps: readonly VappObservation[]): string {
  return jsonParameter(vapps.map(({ vappId, ...seen }, place) => ({ place, vapp_id: vappId, ...seen })));
}

export function vappOutcomes(count: number, rows: readonly VappAnswerRow[]): readonly Outcome[] {
  const outcomes = Array.from<Outcome>({ length: count }).fill('unmanaged');
  for (const [place, outcome] of rows) if (place !== null && outcome !== null) outcomes[place] = outcome;
  return outcomes;
}

/** $4 the sequence, $5 the template instances. */
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
  JOIN vdcs d ON d.cluster = s.cluster AND d.namespace = s.namespace AND d.deleted_at IS NULL
  LEFT JOIN vapps l ON l.id = s.vapp_id AND l.vdc_id = d.id AND l.deleted_at IS NULL
  LEFT JOIN vapps n ON n.vdc_id = d.id AND lower(n.name) = lower(s.name) AND n.deleted_at IS NULL
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
  FROM placed p LEFT JOIN vapp_observed o ON o.vapp_id = p.vapp
),
held AS MATERIALIZED (
  SELECT f.* FROM found f JOIN vapp_observed o ON o.vapp_id = f.bound
  WHERE f.outcome = 'locked' AND (o.epoch, o.sequence) < ($2, $4)
  FOR NO KEY UPDATE OF o SKIP LOCKED
),
changed AS (
  UPDATE vapp_observed o SET cluster = h.cluster, namespace = h.namespace, name = h.name, uid = h.uid, creation = h.creation, fault = h.fault,
    epoch = $2, sequence = $4, observed_at = now()
  FROM held h WHERE o.vapp_id = h.bound AND (o.epoch, o.sequence) < ($2, $4)
  RETURNING h.place
),
sheltered AS MATERIALIZED (
  SELECT f.* FROM found f JOIN vapps a ON a.id = f.vapp
  WHERE f.bound IS NULL AND a.deleted_at IS NULL
  FOR KEY SHARE OF a SKIP LOCKED
),
entered AS (
  INSERT INTO vapp_observed (vapp_id, cluster, namespace, name, uid, creation, fault, epoch, sequence)
  SELECT vapp, cluster, namespace, name, uid, creation, fault, $2, $4 FROM sheltered
)
SELECT NULL::integer, NULL::text FROM term
UNION ALL SELECT place, outcome FROM found
UNION ALL SELECT place, 'created' FROM sheltered
UNION ALL SELECT place, 'updated' FROM changed`,
};
