/** What is given up with a task: those that belong to it. */
import { sql, type Transaction } from 'kysely';

import { markDue } from './reconciliations.ts';
import type { Tables, TaskId, VappId } from './schema.ts';

type Tx = Transaction<Tables>;

/** Tasks on machines that belong to one on their vApp. Who works on the machines looks again. */
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
