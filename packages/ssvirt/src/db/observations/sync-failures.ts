/** VMs whose state could not be written for a long time. */
import type { Pool } from 'pg';
import type { SyncFailure, SyncFailureStore } from './contracts.ts';
import { runRows } from './connection.ts';
import { fenceOf, termTable, type FencedStatement } from './fence.ts';
import { storableText } from './json.ts';

const record: FencedStatement = {
  name: 'ssvirt_record_sync_failure',
  text: `
WITH ${termTable},
written AS (
  INSERT INTO sync_failures AS f (cluster, namespace, vm_name, vm_id, error_type, message, attempts, first_failed_at)
  SELECT $4::text, $5::text, $6::text, coalesce($7::uuid, (
    SELECT v.id FROM vms v WHERE v.cluster = $4 AND v.namespace = $5 AND v.vm_name = $6 AND v.deleted_at IS NULL LIMIT 1
  )), $8::text, $9::text, $10::integer, now() - $11::float8 * interval '1 millisecond' FROM term
  ON CONFLICT (cluster, namespace, vm_name) WHERE resolved_at IS NULL DO UPDATE SET
    vm_id = coalesce(excluded.vm_id, f.vm_id), error_type = excluded.error_type, message = excluded.message, last_failed_at = now(),
    -- A controller that was restarted counts from the start.
    attempts = greatest(f.attempts + 1, excluded.attempts)
)
SELECT 1 FROM term`,
};

const resolve: FencedStatement = {
  name: 'ssvirt_resolve_sync_failure',
  text: `
WITH ${termTable},
written AS (
  UPDATE sync_failures SET resolved_at = now()
  FROM term WHERE cluster = $4 AND namespace = $5 AND vm_name = $6 AND resolved_at IS NULL
)
SELECT 1 FROM term`,
};

const open = `
  SELECT cluster, namespace, vm_name, vm_id, error_type, message, attempts FROM sync_failures
  WHERE resolved_at IS NULL ORDER BY cluster, namespace, vm_name`;

interface Row {
  readonly cluster: string;
  readonly namespace: string;
  readonly vm_name: string;
  readonly vm_id: string | null;
  readonly error_type: string;
  readonly message: string;
  readonly attempts: number;
}

export function createSyncFailureStore(pool: Pool): SyncFailureStore {
  const fence = fenceOf(pool);
  return {
    async record(term, { cluster, namespace, vmName, vmId, errorType, message, attempts, firstAgoMs }) {
      await fence.run(term, record, [
        cluster,
        namespace,
        vmName,
        vmId ?? null,
        errorType,
        storableText(message),
        attempts,
        firstAgoMs,
      ]);
    },
    async resolve(term, { cluster, namespace, vmName }) {
      await fence.run(term, resolve, [cluster, namespace, vmName]);
    },
    async open() {
      return (await runRows<Row>(pool, { text: open })).rows.map(failureOf);
    },
  };
}

function failureOf(row: Row): SyncFailure {
  return {
    cluster: row.cluster,
    namespace: row.namespace,
    vmName: row.vm_name,
    ...(row.vm_id === null ? {} : { vmId: row.vm_id }),
    errorType: row.error_type,
    message: row.message,
    attempts: row.attempts,
  };
}
