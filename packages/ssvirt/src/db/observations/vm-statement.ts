/**
 * The statement that writes a batch of VM observations. It never waits for a row, and writes no row that already has
 * the right values.
 *
 * Rows are compared as the snapshot has them and locked only when they differ; the update then works on the locked
 * version. An unchanged row keeps the (epoch, sequence) of its last change, so a statement with a number between that
 * one and this one could overwrite it. No such statement exists: the fence (fence.ts) bars statements of older epochs
 * and older rounds, and a VM is in only one statement of the present round at a time.
 *
 * Each lookup is a LATERAL query with LIMIT 1 or a scalar subquery. The planner can execute that in one way only: row
 * by row with the matching index. The plan is kept, and if the planner had a choice it would make one for tables that
 * were empty at the last ANALYZE: a thousand VMs would be compared with all rows. For the same reason a lookup by id
 * does not repeat the condition of a partial index word for word, or the planner would read that index from end to end.
 *
 * Triggers copy the observation to `vm_list_states` and `vm_list_keys`, and requests lock those rows, too. So a VM is
 * written only if its rows there can be locked as well; for a new row of a VM the same is done with the row of its VDC, whose name is copied.
 */
import { termTable, type FencedStatement } from './fence.ts';

/** For lookups by id, see above. */
export const vappIsLive = (vapp: string): string => `num_nulls(${vapp}.deleted_at) = 1`;

/**
 * A fault that is too recent keeps a row FAILED that is FAILED for the same reason: a restart of the controller does
 * not make the fault younger.
 */
const statusNow = (seen: string): string =>
  `CASE WHEN ${seen}.debouncing AND o.status = 'FAILED' AND o.fault_reason = ${seen}.fault_reason THEN 'FAILED' ELSE ${seen}.status END`;

/** A trouble starts when it is written for the first time; without a trouble there is no start. */
const troubleStart = (seen: string): string => `CASE WHEN ${seen}.trouble IS NOT NULL THEN now() END`;

/**
 * Finds the vApp of a VM: by its label, by its TemplateInstance, or by an earlier VM of the same name. The first two
 * must be in the VM's own VDC.
 */
const vappOf = `coalesce(
  (SELECT a.id FROM vapps a WHERE a.id = s.vapp_id AND a.vdc_id IS NOT DISTINCT FROM d.id AND ${vappIsLive('a')}),
  (SELECT a.id FROM vapps a WHERE a.vdc_id = d.id AND lower(a.name) = lower(s.vapp_name) AND a.deleted_at IS NULL),
  (SELECT v.vapp_id FROM vms v
    WHERE v.cluster = s.cluster AND v.namespace = s.namespace AND v.vm_name = s.name
      AND (SELECT o.vm_id FROM vm_observed o WHERE o.vm_id = v.id) IS NOT NULL
      AND (SELECT a.id FROM vapps a WHERE a.id = v.vapp_id AND ${vappIsLive('a')}) IS NOT NULL
    -- An expression: by the index of creation times, the planner of empty tables would look through all VMs for the name.
    ORDER BY v.created_at + interval '0' DESC LIMIT 1)
)`;

/**
 * A VM that had the name before must become DELETED first, or its row would be in the way. Reading from `changed` also
 * makes that update run first.
 */
const nameIsFree = '(p.rival IS NULL OR p.rival IN (SELECT vm_id FROM changed))';

/** The rows that triggers write. */
const lockCopies = (vm: string): string =>
  ['vm_list_states', 'vm_list_keys']
    .map(
      (table) =>
        `CROSS JOIN LATERAL (SELECT FROM ${table} r WHERE r.vm_id = ${vm} LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED) ${table}`,
    )
    .join('\n  ');

const observedColumns = `cluster, namespace, name, uid, generation, status, busy, restart_required, fault_reason, fault, trouble, cpu_count, memory_mb, guest_os,
  ip_addresses, node, host_name, disks`;

/** $4 the sequence, $5 the VMs. */
export const writeVms: FencedStatement = {
  name: 'ssvirt_write_vms',
  text: `
WITH ${termTable},
seen AS MATERIALIZED (
  SELECT x.* FROM term CROSS JOIN json_to_recordset($5::json) AS x (
    place integer, gone boolean, cluster text, namespace text, name text, uid uuid, generation bigint, returned boolean, vapp_id uuid, vapp_name text,
    status text, debouncing boolean, busy boolean, restart_required boolean, fault_reason text, fault text, trouble text,
    cpu_count integer, memory_mb bigint, guest_os text, ip_addresses text[], node text, host_name text, disks jsonb)
),
found AS MATERIALIZED (
  SELECT s.*, o.vm_id, o.status AS old_status,
    CASE
      WHEN o.vm_id IS NULL THEN NULL
      WHEN o.status = 'DELETED' AND s.returned IS NOT TRUE THEN CASE WHEN s.gone THEN 'unchanged' ELSE 'older' END
      WHEN NOT s.gone
        AND o.status = ${statusNow('s')}
        AND (o.generation, o.busy, o.restart_required, o.ip_addresses, o.disks) = (s.generation, s.busy, s.restart_required, s.ip_addresses, s.disks)
        AND (o.fault_reason, o.fault, o.trouble, o.node) IS NOT DISTINCT FROM (s.fault_reason, s.fault, s.trouble, s.node)
        AND (s.cpu_count IS NULL OR s.cpu_count IS NOT DISTINCT FROM o.cpu_count)
        AND (s.memory_mb IS NULL OR s.memory_mb IS NOT DISTINCT FROM o.memory_mb)
        AND (s.guest_os IS NULL OR s.guest_os IS NOT DISTINCT FROM o.guest_os)
        AND (s.host_name IS NULL OR s.host_name IS NOT DISTINCT FROM o.host_name)
        THEN 'unchanged'
      WHEN (o.epoch, o.sequence) >= ($2, $4) THEN 'older'
      -- Unless it turns out below that the row could be had.
      ELSE 'locked'
    END AS outcome
  FROM seen s
  LEFT JOIN LATERAL (SELECT * FROM vm_observed r WHERE r.cluster = s.cluster AND r.uid = s.uid LIMIT 1) o ON true
),
strangers AS MATERIALIZED (
  SELECT f.*, o.vm_id AS rival, coalesce((o.epoch, o.sequence) >= ($2, $4), false) AS overtaken
  FROM found f
  LEFT JOIN LATERAL (
    SELECT * FROM vm_observed r WHERE r.cluster = f.cluster AND r.namespace = f.namespace AND r.name = f.name AND NOT r.gone LIMIT 1
  ) o ON true
  WHERE f.vm_id IS NULL AND NOT f.gone
),
-- Locked, and as the row will be. A version that was committed after the snapshot is the one that is locked and counts.
held AS MATERIALIZED (
  SELECT o.vm_id, o.cluster, o.namespace, o.name, o.uid, o.status AS old_status,
    CASE WHEN t.ends THEN 'DELETED' ELSE ${statusNow('t')} END AS status,
    CASE WHEN t.ends THEN o.generation ELSE t.generation END AS generation,
    NOT t.ends AND t.busy AS busy,
    NOT t.ends AND t.restart_required AS restart_required,
    CASE WHEN NOT t.ends THEN t.fault_reason END AS fault_reason,
    CASE WHEN NOT t.ends THEN t.fault END AS fault,
    CASE WHEN NOT t.ends THEN t.trouble END AS trouble,
    CASE WHEN t.ends THEN o.cpu_count ELSE coalesce(t.cpu_count, o.cpu_count) END AS cpu_count,
    CASE WHEN t.ends THEN o.memory_mb ELSE coalesce(t.memory_mb, o.memory_mb) END AS memory_mb,
    CASE WHEN t.ends THEN o.guest_os ELSE coalesce(t.guest_os, o.guest_os) END AS guest_os,
    CASE WHEN t.ends THEN '{}' ELSE t.ip_addresses END AS ip_addresses,
    CASE WHEN NOT t.ends THEN t.node END AS node,
    CASE WHEN t.ends THEN o.host_name ELSE coalesce(t.host_name, o.host_name) END AS host_name,
    CASE WHEN t.ends THEN o.disks ELSE t.disks END AS disks
  FROM (
    -- A machine that is gone and whose name another has already is here twice.
    SELECT DISTINCT ON (target) * FROM (
      SELECT vm_id AS target, gone AS ends, returned IS TRUE AS returned, debouncing, ${observedColumns} FROM found WHERE outcome = 'locked'
      UNION ALL
      SELECT rival, true, false, debouncing, ${observedColumns} FROM strangers WHERE rival IS NOT NULL AND NOT overtaken
    ) all_targets ORDER BY target, ends DESC
  ) t
  CROSS JOIN LATERAL (
    SELECT * FROM vm_observed r WHERE r.vm_id = t.target AND (r.status <> 'DELETED' OR t.returned) AND (r.epoch, r.sequence) < ($2, $4)
    LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ) o
  ${lockCopies('t.target')}
),
-- All of them are there, and ours: an insert that always conflicts is an update that finds each row by its key.
changed AS (
  INSERT INTO vm_observed AS o (vm_id, ${observedColumns}, epoch, sequence)
  SELECT vm_id, ${observedColumns}, $2, $4 FROM held
  ON CONFLICT (vm_id) DO UPDATE SET
    status = excluded.status, generation = excluded.generation, busy = excluded.busy, restart_required = excluded.restart_required,
    fault_reason = excluded.fault_reason, fault = excluded.fault,
    trouble = excluded.trouble, trouble_since = CASE WHEN o.trouble = excluded.trouble THEN o.trouble_since ELSE ${troubleStart('excluded')} END,
    cpu_count = excluded.cpu_count, memory_mb = excluded.memory_mb,
    guest_os = excluded.guest_os, ip_addresses = excluded.ip_addresses, node = excluded.node, host_name = excluded.host_name,
    disks = excluded.disks, epoch = excluded.epoch, sequence = excluded.sequence, observed_at = now(),
    status_changed_at = CASE WHEN o.status = excluded.status THEN o.status_changed_at ELSE now() END
  WHERE (o.epoch, o.sequence) < (excluded.epoch, excluded.sequence)
  RETURNING o.vm_id, o.status
),
placed AS MATERIALIZED (
  SELECT s.*, c.id AS claim, CASE WHEN c.id IS NULL THEN ${vappOf} END AS vapp
  FROM strangers s
  LEFT JOIN LATERAL (
    SELECT v.id FROM vms v
    WHERE v.cluster = s.cluster AND v.namespace = s.namespace AND v.vm_name = s.name
      AND v.deleted_at IS NULL AND v.origin = 'requested' AND v.desired_state <> 'none'
      AND (SELECT b.vm_id FROM vm_observed b WHERE b.vm_id = v.id) IS NULL
    ORDER BY v.vapp_id IS NOT DISTINCT FROM s.vapp_id DESC LIMIT 1
  ) c ON true
  LEFT JOIN LATERAL (
    SELECT r.id FROM vdcs r WHERE r.cluster = s.cluster AND r.namespace = s.namespace AND r.deleted_at IS NULL LIMIT 1
  ) d ON true
  -- One that is being deleted gets no row any more.
  WHERE s.status <> 'DELETING' AND NOT s.overtaken
),
claimed AS MATERIALIZED (
  SELECT p.*, v.id AS new_id FROM placed p CROSS JOIN LATERAL (
    SELECT r.id FROM vms r WHERE r.id = p.claim AND r.deleted_at IS NULL AND r.desired_state <> 'none'
    LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  ) v
  ${lockCopies('p.claim')}
  WHERE ${nameIsFree}
),
sheltered AS MATERIALIZED (
  SELECT p.*, gen_random_uuid() AS new_id FROM placed p CROSS JOIN LATERAL (
    SELECT r.vdc_id FROM vapps r WHERE r.id = p.vapp AND ${vappIsLive('r')} LIMIT 1 FOR SHARE SKIP LOCKED
  ) a
  CROSS JOIN LATERAL (SELECT FROM vdcs r WHERE r.id = a.vdc_id LIMIT 1 FOR SHARE SKIP LOCKED) d
  WHERE ${nameIsFree}
),
made AS (
  INSERT INTO vms (id, vapp_id, name, cluster, namespace, vm_name, origin, desired_state)
  SELECT new_id, vapp, name, cluster, namespace, name, 'discovered', 'none' FROM sheltered
),
entered AS (
  INSERT INTO vm_observed (vm_id, ${observedColumns}, trouble_since, epoch, sequence)
  SELECT new_id, ${observedColumns}, ${troubleStart('claimed')}, $2, $4 FROM claimed
  UNION ALL
  SELECT new_id, ${observedColumns}, ${troubleStart('sheltered')}, $2, $4 FROM sheltered
)
SELECT NULL::integer, NULL::uuid, NULL::text, NULL::text, NULL::text FROM term
UNION ALL SELECT place, vm_id, outcome, old_status, old_status FROM found WHERE vm_id IS NOT NULL
UNION ALL SELECT place, NULL, 'older', NULL, NULL FROM strangers WHERE overtaken
UNION ALL SELECT place, NULL, 'locked', NULL, NULL FROM placed WHERE claim IS NOT NULL OR vapp IS NOT NULL
UNION ALL SELECT place, new_id, 'bound', NULL, status FROM claimed
UNION ALL SELECT place, new_id, 'created', NULL, status FROM sheltered
UNION ALL SELECT NULL, vm_id, 'updated', NULL, status FROM changed`,
};
