/**
 * Lists of machines and of vApps by their own rows. Each knows its VDC and its organisation, which never change: PostgreSQL fills them in from the row above,
 * so that whoever makes a row need not know them, and nobody can say something else. With that a list of one VDC or one organisation stands in order in an index.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await placed(db);
  await fillIn(db);
  await stayPut(db);
  await indexes(db);
  await shownStatus(db);
}

/** Without foreign keys: the row above has them. */
async function placed(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE vapps ADD COLUMN organization_id uuid;
    ALTER TABLE vms ADD COLUMN vdc_id uuid, ADD COLUMN organization_id uuid;

    -- Nobody's news: what is shown stays the same.
    ALTER TABLE vapps DISABLE TRIGGER USER;
    ALTER TABLE vms DISABLE TRIGGER USER;
    UPDATE vapps a SET organization_id = d.organization_id FROM vdcs d WHERE d.id = a.vdc_id;
    UPDATE vms v SET vdc_id = a.vdc_id, organization_id = a.organization_id FROM vapps a WHERE a.id = v.vapp_id;
    ALTER TABLE vapps ENABLE TRIGGER USER;
    ALTER TABLE vms ENABLE TRIGGER USER;

    ALTER TABLE vapps ALTER COLUMN organization_id SET NOT NULL;
    ALTER TABLE vms ALTER COLUMN vdc_id SET NOT NULL, ALTER COLUMN organization_id SET NOT NULL;
  `.execute(db);
}

/** What names nothing is refused as the foreign key would refuse it: that is asked later, when a column that must be there is missed already. */
async function fillIn(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION place_vapp() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      SELECT d.organization_id INTO NEW.organization_id FROM vdcs d WHERE d.id = NEW.vdc_id;
      IF NOT FOUND AND NEW.vdc_id IS NOT NULL THEN
        RAISE foreign_key_violation USING
          MESSAGE = format('cannot write a vApp: there is no virtual data center %s', NEW.vdc_id), TABLE = 'vapps', CONSTRAINT = 'vapps_vdc_id_fkey';
      END IF;
      RETURN NEW;
    END $function$;
    CREATE TRIGGER place_vapp BEFORE INSERT OR UPDATE OF organization_id ON vapps FOR EACH ROW EXECUTE FUNCTION place_vapp();

    CREATE FUNCTION place_vm() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      SELECT a.vdc_id, a.organization_id INTO NEW.vdc_id, NEW.organization_id FROM vapps a WHERE a.id = NEW.vapp_id;
      IF NOT FOUND AND NEW.vapp_id IS NOT NULL THEN
        RAISE foreign_key_violation USING
          MESSAGE = format('cannot write a machine: there is no vApp %s', NEW.vapp_id), TABLE = 'vms', CONSTRAINT = 'vms_vapp_id_fkey';
      END IF;
      RETURN NEW;
    END $function$;
    CREATE TRIGGER place_vm BEFORE INSERT OR UPDATE OF vapp_id, vdc_id, organization_id ON vms FOR EACH ROW EXECUTE FUNCTION place_vm();
  `.execute(db);
}

/** What stands below would not follow. */
async function stayPut(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      RAISE restrict_violation USING MESSAGE = format('cannot move the row %s of %s: what belongs to it has its place from it', OLD.id, TG_TABLE_NAME);
    END $function$;
    CREATE TRIGGER refuse_move BEFORE UPDATE OF organization_id ON vdcs
      FOR EACH ROW WHEN (NEW.organization_id IS DISTINCT FROM OLD.organization_id) EXECUTE FUNCTION refuse_move();
    CREATE TRIGGER refuse_move BEFORE UPDATE OF vdc_id ON vapps
      FOR EACH ROW WHEN (NEW.vdc_id IS DISTINCT FROM OLD.vdc_id) EXECUTE FUNCTION refuse_move();
  `.execute(db);
}

/** As those of 0006-lists, deleted rows among them for its reason; with all that says whether a row is listed, so that to count and to skip reads no table. */
async function indexes(db: Kysely<unknown>): Promise<void> {
  await sql`
    DROP INDEX vapps_list_name, vapps_list_created_at, vapps_list_vdc_id_name, vapps_list_vdc_id_created_at;
    CREATE INDEX vapps_list_name ON vapps (lower(name), id) INCLUDE (name, hidden, deleted_at);
    CREATE INDEX vapps_list_created_at ON vapps (created_at, id) INCLUDE (hidden, deleted_at);
    CREATE INDEX vapps_list_vdc_id_name ON vapps (vdc_id, lower(name), id) INCLUDE (name, hidden, deleted_at);
    CREATE INDEX vapps_list_vdc_id_created_at ON vapps (vdc_id, created_at, id) INCLUDE (hidden, deleted_at);
    CREATE INDEX vapps_list_organization_id_name ON vapps (organization_id, lower(name), id) INCLUDE (name, hidden, deleted_at);
    CREATE INDEX vapps_list_organization_id_created_at ON vapps (organization_id, created_at, id) INCLUDE (hidden, deleted_at);

    CREATE INDEX vms_list_vdc_id_name ON vms (vdc_id, lower(name), id) INCLUDE (name, deleted_at);
    CREATE INDEX vms_list_organization_id_name ON vms (organization_id, lower(name), id) INCLUDE (name, deleted_at);

    -- Those that are not listed though nobody here has deleted them, which are few. It changes with gone alone, as vm_observed_live_object does.
    CREATE INDEX vm_observed_gone ON vm_observed (vm_id) WHERE gone;

    -- What makes a remembered total of a list by status stale, beside what change_log_lists has.
    CREATE INDEX change_log_statuses ON change_log (kind, transaction) INCLUDE (organization_id)
      WHERE operation = 'observed' AND (kind <> 'vm' OR data ->> 'status' IS DISTINCT FROM data ->> 'previous');
  `.execute(db);
}

/** By functions, which PostgreSQL puts in place of their calls: who has a machine and what is observed of it need not read both again for its status. */
async function shownStatus(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION shown_vm_status(deleted_at timestamptz, desired_state text, observed text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $function$
      SELECT CASE
        WHEN observed = 'DELETED' OR deleted_at IS NOT NULL THEN 'DELETED'
        WHEN desired_state = 'absent' THEN 'DELETING'
        ELSE coalesce(observed, 'UNRESOLVED')
      END
    $function$;

    -- Unknown to be true now: the cluster, or the namespace, cannot be read.
    CREATE FUNCTION shown_vm_stale(deleted_at timestamptz, observed text, namespace text, cluster_state text, unreadable text[])
    RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $function$
      SELECT coalesce(deleted_at IS NULL AND observed <> 'DELETED' AND (cluster_state IS DISTINCT FROM 'synced' OR namespace = ANY (unreadable)), false)
    $function$;

    CREATE OR REPLACE VIEW vm_status AS
    SELECT v.id AS vm_id, v.vapp_id,
      shown_vm_status(v.deleted_at, v.desired_state, o.status) AS status,
      shown_vm_stale(v.deleted_at, o.status, v.namespace, c.state, c.unreadable_namespaces) AS stale
    FROM vms v
    LEFT JOIN vm_observed o ON o.vm_id = v.id
    LEFT JOIN clusters c ON c.name = v.cluster;

    -- As it was, and how many machines there are.
    CREATE OR REPLACE VIEW vapp_status AS
    SELECT a.id AS vapp_id,
      CASE
        WHEN a.desired_state = 'absent' THEN 'DELETING'
        WHEN c.creation = 'running' THEN 'UNRESOLVED'
        WHEN c.creation = 'failed' THEN 'FAILED_CREATION'
        WHEN m.first IS NULL THEN 'RESOLVED'
        WHEN m.first = m.last THEN m.first
        ELSE 'MIXED'
      END AS status,
      coalesce(m.stale, false) AS stale,
      m.machines
    FROM vapps a
    LEFT JOIN vapp_observed o ON o.vapp_id = a.id
    CROSS JOIN LATERAL (SELECT CASE a.creation WHEN 'done' THEN coalesce(o.creation, 'done') ELSE a.creation END AS creation) c
    LEFT JOIN LATERAL (
      SELECT min(s.status) AS first, max(s.status) AS last, bool_or(s.stale) AS stale, count(*)::integer AS machines
      FROM vm_status s WHERE s.vapp_id = a.id AND s.status <> 'DELETED'
    ) m ON true;
  `.execute(db);
}
