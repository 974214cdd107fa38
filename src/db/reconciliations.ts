/** Work on entities whose desired state is to be brought to a cluster: asked for with the desired state, claimed by one process at a time. */
import { sql, type Kysely } from 'kysely';

import type { Tables } from './schema.ts';

export type ReconciledKind = 'vdc';

/** In the transaction that writes the desired state: whoever works on the entity now is not the last. */
export async function requestReconciliation(
  db: Kysely<Tables>,
  kind: ReconciledKind,
  entityId: string,
  cluster: string,
): Promise<void> {
  await sql`
    INSERT INTO reconciliations (kind, entity_id, cluster) VALUES (${kind}, ${entityId}, ${cluster})
    ON CONFLICT (kind, entity_id) DO UPDATE SET wish = reconciliations.wish + 1, due_at = now(), failures = 0, updated_at = now()
  `.execute(db);
}
