/** Who created a VM or a vApp: the quotas of users count by it. */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- Null for VMs that were found in a cluster, and where nothing says who created the row.
    ALTER TABLE vapps ADD COLUMN owner_id uuid REFERENCES users;
    ALTER TABLE vms ADD COLUMN owner_id uuid REFERENCES users;
  `.execute(db);
  await fromAudit(db);
  await sql`
    CREATE INDEX vapps_owner ON vapps (owner_id) WHERE owner_id IS NOT NULL;
    CREATE INDEX vms_owner ON vms (owner_id) WHERE owner_id IS NOT NULL;
  `.execute(db);
}

/** Without the triggers of the change log: an upgrade is no change of every VM. */
async function fromAudit(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE vapps DISABLE TRIGGER USER;
    ALTER TABLE vms DISABLE TRIGGER USER;

    CREATE TABLE creators AS
    SELECT DISTINCT ON (e.entity_id) e.entity_id, e.action, e.user_id
    FROM audit_events e JOIN users u ON u.id = e.user_id
    WHERE e.action IN ('vms.create', 'vapps.create', 'vapps.instantiate') AND e.outcome = 'success' AND e.entity_id IS NOT NULL
    ORDER BY e.entity_id, e.at;

    UPDATE vapps a SET owner_id = c.user_id FROM creators c WHERE c.entity_id = a.id AND c.action <> 'vms.create';
    UPDATE vms v SET owner_id = c.user_id FROM creators c WHERE c.entity_id = v.id AND c.action = 'vms.create';

    -- The audit names only the vApp of a catalog item. The VMs of the item were written in the same transaction, so at the same time.
    UPDATE vms v SET owner_id = c.user_id
    FROM vapps a JOIN creators c ON c.entity_id = a.id AND c.action = 'vapps.instantiate'
    WHERE v.vapp_id = a.id AND v.owner_id IS NULL AND v.origin = 'requested' AND v.created_at = a.created_at;

    -- It names only the VM of a vApp that was made for the VM alone.
    UPDATE vapps a SET owner_id = v.owner_id FROM vms v
    WHERE v.vapp_id = a.id AND a.hidden AND v.created_at = a.created_at AND v.owner_id IS NOT NULL;

    DROP TABLE creators;
    ALTER TABLE vapps ENABLE TRIGGER USER;
    ALTER TABLE vms ENABLE TRIGGER USER;
  `.execute(db);
}
