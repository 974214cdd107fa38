/** Cancels the tasks that belong to a canceled task. */
import { sql, type Transaction } from 'kysely';

import { markDue } from '../work-queue/reconciliations.ts';
import type { Tables, TaskId, VappId } from '../schema/schema.ts';

type Tx = Transaction<Tables>;

/**
 * Cancels the tasks of VMs that belong to a task of their vApp. The VMs become due, so that their workers look again.
 */
export async function cancelChildren(tx: Tx, vapp: VappId, parent: TaskId): Promise<void> {
  const children = sql`
    tasks WHERE owner_kind = 'vm' AND ended_at IS NULL AND details ->> 'parent' = ${parent}
      AND owner_id IN (SELECT id FROM vms WHERE vapp_id = ${vapp})
  `;
  const { rows } = await sql<{ id: TaskId; owner_id: string }>`SELECT id, owner_id FROM ${children}`.execute(tx);
  await markDue(
    tx,
    'vm',
    rows.map(({ owner_id }) => owner_id),
  );
  await sql`
    UPDATE tasks SET status = 'canceled', ended_at = now(), updated_at = now()
    WHERE id = ANY (${rows.map(({ id }) => id)}::uuid[]) AND ended_at IS NULL
  `.execute(tx);
}
