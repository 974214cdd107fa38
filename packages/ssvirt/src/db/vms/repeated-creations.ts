/**
 * VApps and VMs whose creation took more than one attempt. Secrets that the first attempt sent may arrive when
 * everything is over. No process lists Secrets, so this table records the entities whose Secrets must be searched by
 * name once more.
 */
import { sql, type Kysely, type RawBuilder } from 'kysely';

import type { Tables } from '../schema/schema.ts';

export interface SettledCreation {
  readonly kind: 'vapp' | 'vm';
  readonly id: string;
  readonly namespace: string;
  /** The name of the TemplateInstance or the VirtualMachine. */
  readonly name: string;
  /** For how long its Secrets have not been needed. */
  readonly sinceMs: number;
}

/** Recording an entity twice has no effect. */
export async function noteRepeated(db: Kysely<Tables>, kind: SettledCreation['kind'], id: string): Promise<void> {
  await sql`INSERT INTO repeated_creations (${column(kind)}) VALUES (${id}) ON CONFLICT DO NOTHING`.execute(db);
}

/**
 * The entities of a cluster whose Secrets are no longer needed: a vApp that is gone or has all its VMs, and a VM that
 * is gone and whose name no other VM has taken.
 */
export async function settledCreations(db: Kysely<Tables>, cluster: string): Promise<readonly SettledCreation[]> {
  const { rows } = await sql<SettledCreation>`
    SELECT kind, id, namespace, name, (extract(epoch FROM now() - settled_at) * 1000)::float8 AS "sinceMs" FROM (
      SELECT 'vapp' AS kind, a.id, d.cluster, d.namespace, a.spec ->> 'instance' AS name,
        coalesce(a.deleted_at, CASE a.creation WHEN 'done' THEN a.updated_at END) AS settled_at
      FROM repeated_creations r JOIN vapps a ON a.id = r.vapp_id JOIN vdcs d ON d.id = a.vdc_id
      UNION ALL
      SELECT 'vm', v.id, v.cluster, v.namespace, v.vm_name, v.deleted_at
      FROM repeated_creations r JOIN vms v ON v.id = r.vm_id
      WHERE NOT EXISTS (
        SELECT FROM vms o WHERE o.cluster = v.cluster AND o.namespace = v.namespace AND o.vm_name = v.vm_name AND o.deleted_at IS NULL
      )
    ) found
    WHERE cluster = ${cluster} AND settled_at IS NOT NULL AND name IS NOT NULL ORDER BY id
  `.execute(db);
  return rows;
}

export async function forgetRepeated(db: Kysely<Tables>, { kind, id }: SettledCreation): Promise<void> {
  await sql`DELETE FROM repeated_creations WHERE ${column(kind)} = ${id}`.execute(db);
}

function column(kind: SettledCreation['kind']): RawBuilder<unknown> {
  return kind === 'vapp' ? sql`vapp_id` : sql`vm_id`;
}
