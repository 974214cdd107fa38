/**
 * The statement that writes a batch of machines. It never waits for a row, and writes none that says already what it should say.
 *
 * Rows are compared as the snapshot has them and locked only where they differ; the update then works on the locked version. An unchanged row keeps the
 * (epoch, sequence) of its last change, which leaves room for a statement between that and this one to overwrite it: there is none. Those of older epochs
 * and of older rounds are barred by the fence (fence.ts), and a machine is in one statement of the present round at a time.
 */
import { termTable, type FencedStatement } from './fence.ts';

/** A fault that is not old enough yet keeps a row that says FAILED for it: a controller that was restarted does not make the fault younger. */
const statusNow = (seen: string): string =>
  `CASE WHEN ${seen}.debouncing AND o.status = 'FAILED' AND o.fault_reason = ${seen}.fault_reason THEN 'FAILED' ELSE ${seen}.status END`;

/** Where the machine's vApp is known: by its label, by its template instance, by one of the same name before it. None reaches into another VDC. */
const vappOf = `coalesce(
  (SELECT a.id FROM vapps a JOIN vdcs d ON d.id = a.vdc_id
    WHERE a.id = s.vapp_id AND a.deleted_at IS NULL AND d.deleted_at IS NULL AND d.cluster = s.cluster AND d.namespace = s.namespace),
  (SELECT a.id FROM vdcs d JOIN vapps a ON a.vdc_id = d.id
    WHERE d.cluster = s.cluster AND d.namespace = s.namespace AND d.deleted_at IS NULL AND lower(a.name) = lower(s.vapp_name) AND a.deleted_at IS NULL),
  (SELECT a.id FROM vms v JOIN vm_observed o ON o.vm_id = v.id JOIN vapps a ON a.id = v.vapp_id
    WHERE v.cluster = s.cluster AND v.namespace = s.namespace AND v.vm_name = s.name AND a.deleted_at IS NULL
    ORDER BY o.first_observed_at DESC LIMIT 1)
)`;

/** A machine that had the name before must be DELETED first, or its row would stand in the way; asking for it makes the update go first. */
const nameIsFree = '(p.rival IS NULL OR p.rival IN (SELECT vm_id FROM changed))';

const observedColumns = `cluster, namespace, name, uid, generation, status, busy, restart_required, fault_reason, fault, cpu_count, memory_mb, guest_os,
  ip_addresses, node, host_name, disks`;

/** $4 the sequence, $5 the machines. */
export const writeVms: FencedStatement = {
  name: 'ssvirt_write_vms',
  text: `
WITH ${termTable},
seen AS MATERIALIZED (
  SELECT x.* FROM term CROSS JOIN json_to_recordset($5::json) AS x (
    place integer, gone boolean, cluster text, namespace text, name text, uid uuid, generation bigint, vapp_id uuid, vapp_name text,
    status text, debouncing boolean, busy boolean, restart_required boolean, fault_reason text, fault text,
    cpu_count integer, memory_mb bigint, guest_os text, ip_addresses text[], node text, host_name text, disks jsonb)
),
found AS MATERIALIZED (
  SELECT s.*, o.vm_id, o.status AS old_status,
    CASE
      WHEN o.vm_id IS NULL THEN NULL
      WHEN o.status = 'DELETED' THEN CASE WHEN s.gone THEN 'unchanged' ELSE 'older' END
      WHEN NOT s.gone
        AND o.status = ${statusNow('s')}
        AND (o.generation, o.busy, o.restart_required, o.ip_addresses, o.disks) = (s.generation, s.busy, s.restart_required, s.ip_addresses, s.disks)
        AND (o.fault_reason, o.fault, o.node) IS NOT DISTINCT FROM (s.fault_reason, s.fault, s.node)
        AND (s.cpu_count IS NULL OR s.cpu_count IS NOT DISTINCT FROM o.cpu_count)
        AND (s.memory_mb IS NULL OR s.memory_mb IS NOT DISTINCT FROM o.memory_mb)
        AND (s.guest_os IS NULL OR s.guest_os IS NOT DISTINCT FROM o.guest_os)
        AND (s.host_name IS NULL OR s.host_name IS NOT DISTINCT FROM o.host_name)
        THEN 'unchanged'
      WHEN (o.epoch, o.sequence) >= ($2, $4) THEN 'older'
      -- Unless it turns out below that the row could be had.
      ELSE 'locked'
    END AS outcome
  FROM seen s LEFT JOIN vm_observed o ON o.cluster = s.cluster AND o.uid = s.uid
),
strangers AS MATERIALIZED (
  SELECT f.*, o.vm_id AS rival, coalesce((o.epoch, o.sequence) >= ($2, $4), false) AS overtaken
  FROM found f
  LEFT JOIN vm_observed o ON o.cluster = f.cluster AND o.namespace = f.namespace AND o.name = f.name AND NOT o.gone
  WHERE f.vm_id IS NULL AND NOT f.gone
),
held AS MATERIALIZED (
  SELECT t.*, o.status AS old_status
  FROM (
    SELECT vm_id AS target, gone AS ends, debouncing, ${observedColumns} FROM found WHERE outcome = 'locked'
    UNION ALL
    SELECT rival, true, debouncing, ${observedColumns} FROM strangers WHERE rival IS NOT NULL AND NOT overtaken
  ) t
  JOIN vm_observed o ON o.vm_id = t.target
  WHERE NOT o.gone AND (o.epoch, o.sequence) < ($2, $4)
  FOR NO KEY UPDATE OF o SKIP LOCKED
),
changed AS (
  UPDATE vm_observed o SET
    status = CASE WHEN h.ends THEN 'DELETED' ELSE ${statusNow('h')} END,
    status_changed_at = CASE WHEN NOT h.ends AND o.status = ${statusNow('h')} THEN o.status_changed_at ELSE now() END,
    generation = CASE WHEN h.ends THEN o.generation ELSE h.generation END,
    busy = NOT h.ends AND h.busy,
    restart_required = NOT h.ends AND h.restart_required,
    fault_reason = CASE WHEN NOT h.ends THEN h.fault_reason END,
    fault = CASE WHEN NOT h.ends THEN h.fault END,
    cpu_count = CASE WHEN h.ends THEN o.cpu_count ELSE coalesce(h.cpu_count, o.cpu_count) END,
    memory_mb = CASE WHEN h.ends THEN o.memory_mb ELSE coalesce(h.memory_mb, o.memory_mb) END,
    guest_os = CASE WHEN h.ends THEN o.guest_os ELSE coalesce(h.guest_os, o.guest_os) END,
    ip_addresses = CASE WHEN h.ends THEN '{}' ELSE h.ip_addresses END,
    node = CASE WHEN NOT h.ends THEN h.node END,
    host_name = CASE WHEN h.ends THEN o.host_name ELSE coalesce(h.host_name, o.host_name) END,
    disks = CASE WHEN h.ends THEN o.disks ELSE h.disks END,
    epoch = $2, sequence = $4, observed_at = now()
  FROM held h
  WHERE o.vm_id = h.target AND NOT o.gone AND (o.epoch, o.sequence) < ($2, $4)
  RETURNING o.vm_id, h.old_status, o.status AS new_status
),
placed AS MATERIALIZED (
  SELECT s.*, c.id AS claim, CASE WHEN c.id IS NULL THEN ${vappOf} END AS vapp
  FROM strangers s
  LEFT JOIN LATERAL (
    SELECT v.id FROM vms v
    WHERE v.cluster = s.cluster AND v.namespace = s.namespace AND v.vm_name = s.name
      AND v.deleted_at IS NULL AND v.origin = 'requested' AND v.desired_state <> 'none'
      AND NOT EXISTS (SELECT FROM vm_observed b WHERE b.vm_id = v.id)
    ORDER BY v.vapp_id IS NOT DISTINCT FROM s.vapp_id DESC LIMIT 1
  ) c ON true
  -- One that is being deleted gets no row any more.
  WHERE s.status <> 'DELETING' AND NOT s.overtaken
),
claimed AS MATERIALIZED (
  SELECT p.*, v.id AS new_id FROM placed p JOIN vms v ON v.id = p.claim
  WHERE v.deleted_at IS NULL AND v.desired_state <> 'none' AND ${nameIsFree}
  FOR NO KEY UPDATE OF v SKIP LOCKED
),
sheltered AS MATERIALIZED (
  SELECT p.*, gen_random_uuid() AS new_id FROM placed p JOIN vapps a ON a.id = p.vapp
  WHERE a.deleted_at IS NULL AND ${nameIsFree}
  FOR SHARE OF a SKIP LOCKED
),
made AS (
  INSERT INTO vms (id, vapp_id, name, cluster, namespace, vm_name, origin, desired_state)
  SELECT new_id, vapp, name, cluster, namespace, name, 'discovered', 'none' FROM sheltered
),
entered AS (
  INSERT INTO vm_observed (vm_id, ${observedColumns}, epoch, sequence)
  SELECT new_id, ${observedColumns}, $2, $4 FROM claimed
  UNION ALL
  SELECT new_id, ${observedColumns}, $2, $4 FROM sheltered
)
SELECT NULL::integer, NULL::uuid, NULL::text, NULL::text, NULL::text FROM term
UNION ALL SELECT place, vm_id, outcome, old_status, old_status FROM found WHERE vm_id IS NOT NULL
UNION ALL SELECT place, NULL, 'older', NULL, NULL FROM strangers WHERE overtaken
UNION ALL SELECT place, NULL, 'locked', NULL, NULL FROM placed WHERE claim IS NOT NULL OR vapp IS NOT NULL
UNION ALL SELECT place, new_id, 'bound', NULL, status FROM claimed
UNION ALL SELECT place, new_id, 'created', NULL, status FROM sheltered
UNION ALL SELECT NULL, vm_id, 'updated', old_status, new_status FROM changed`,
};
