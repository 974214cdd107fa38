/**
 * How long what is shown of a cluster's machines counts as current. The vm-controller extends that with each contact, by the clock of the database; whoever
 * reads a status compares two times. When the vm-controller dies, or a cluster falls silent, nothing has to be written for its machines to become stale.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await contacts(db);
  await functions(db);
  await views(db);
  await observedEvents(db);
  await notices(db);
}

async function contacts(db: Kysely<unknown>): Promise<void> {
  await sql`
    ALTER TABLE clusters
      -- When the last successful contact began: what the cluster had by then is in the rows.
      ADD COLUMN contacted_at timestamptz,
      ADD COLUMN current_until timestamptz,
      -- What the event stream has said of its machines last; null before the first time.
      ADD COLUMN told_stale boolean;
  `.execute(db);
}

/** Those of 0008 stay: an API server of the version before runs on while this one is rolled out. */
async function functions(db: Kysely<unknown>): Promise<void> {
  await sql`
    -- A contact that lies in the future is from before the clock of the database was set back: it proves nothing.
    CREATE FUNCTION cluster_is_current(state text, contacted_at timestamptz, current_until timestamptz)
    RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $function$
      SELECT coalesce(state = 'synced' AND contacted_at < statement_timestamp() + interval '5 seconds' AND current_until > statement_timestamp(), false)
    $function$;

    -- How long a heartbeat counts: as it says, or 30 s.
    CREATE FUNCTION leader_silence(details jsonb) RETURNS interval LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $function$
      SELECT make_interval(secs => coalesce((details ->> 'countsForMs')::float8, 30000) / 1000)
    $function$;

    -- A machine that was never observed is stale only in a cluster that has been followed before. Unwritten is one whose row could not be written: a contact
    -- proves nothing about it. It is used once and last, so that PostgreSQL puts the function in place of its call, and looks for it only where it matters.
    CREATE FUNCTION vm_is_stale(deleted_at timestamptz, observed text, namespace text, cluster text, current boolean, unreadable text[], unwritten boolean)
    RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $function$
      SELECT deleted_at IS NULL AND observed IS DISTINCT FROM 'DELETED' AND (observed IS NOT NULL OR cluster IS NOT NULL)
        AND (NOT current OR coalesce(namespace = ANY (unreadable), false) OR unwritten)
    $function$;
  `.execute(db);
}

async function views(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE VIEW vm_status AS
    SELECT v.id AS vm_id, v.vapp_id,
      shown_vm_status(v.deleted_at, v.desired_state, o.status) AS status,
      vm_is_stale(v.deleted_at, o.status, v.namespace, c.name, cluster_is_current(c.state, c.contacted_at, c.current_until), c.unreadable_namespaces,
        EXISTS (SELECT FROM sync_failures f WHERE f.cluster = v.cluster AND f.namespace = v.namespace AND f.vm_name = v.vm_name AND f.resolved_at IS NULL)) AS stale
    FROM vms v
    LEFT JOIN vm_observed o ON o.vm_id = v.id
    LEFT JOIN clusters c ON c.name = v.cluster;

    -- As it was, but a vApp without machines is stale as its cluster is: nobody knows whether it has none.
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
      coalesce(m.stale, k.name IS NOT NULL AND NOT cluster_is_current(k.state, k.contacted_at, k.current_until)) AS stale,
      m.machines
    FROM vapps a
    LEFT JOIN vdcs d ON d.id = a.vdc_id
    LEFT JOIN clusters k ON k.name = d.cluster
    LEFT JOIN vapp_observed o ON o.vapp_id = a.id
    CROSS JOIN LATERAL (SELECT CASE a.creation WHEN 'done' THEN coalesce(o.creation, 'done') ELSE a.creation END AS creation) c
    LEFT JOIN LATERAL (
      SELECT min(s.status) AS first, max(s.status) AS last, bool_or(s.stale) AS stale, count(*)::integer AS machines
      FROM vm_status s WHERE s.vapp_id = a.id AND s.status <> 'DELETED'
    ) m ON true;
  `.execute(db);
}

/**
 * An event with a status also says whether it is stale, as an answer at that moment would. Replaces the functions of 0004, which have the reasons for the
 * statements and settings.
 */
async function observedEvents(db: Kysely<unknown>): Promise<void> {
  const columns =
    'status busy restart_required fault_reason fault cpu_count memory_mb guest_os ip_addresses node host_name disks uid name'.split(
      ' ',
    );
  const shown = (alias: string): string => columns.map((column) => `${alias}.${column}`).join(', ');
  const sources = {
    insert: 'new_rows r LEFT JOIN vm_observed o ON false',
    update: `new_rows r JOIN old_rows o ON o.vm_id = r.vm_id AND (${shown('r')}) IS DISTINCT FROM (${shown('o')})`,
  };
  for (const [event, source] of Object.entries(sources))
    await sql
      .raw(`
      CREATE OR REPLACE FUNCTION log_vm_observed_${event}() RETURNS trigger LANGUAGE plpgsql SET enable_hashjoin = on AS $function$
      DECLARE
        logged bigint;
      BEGIN
        IF NOT EXISTS (SELECT FROM new_rows) THEN RETURN NULL; END IF;
        EXECUTE $statement$
          INSERT INTO change_log (kind, operation, entity_id, organization_id, vdc_id, vapp_id, data)
          SELECT 'vm', 'observed', r.vm_id, v.organization_id, v.vdc_id, v.vapp_id, jsonb_build_object('status', r.status, 'previous', o.status,
            'stale', vm_is_stale(v.deleted_at, r.status, v.namespace, c.name, cluster_is_current(c.state, c.contacted_at, c.current_until), c.unreadable_namespaces, false))
          FROM ${source}
          LEFT JOIN vms v ON v.id = r.vm_id
          LEFT JOIN clusters c ON c.name = v.cluster
        $statement$;
        GET DIAGNOSTICS logged = ROW_COUNT;
        IF logged > 0 THEN NOTIFY ssvirt_observations; END IF;
        RETURN NULL;
      END $function$;
    `)
      .execute(db);
}

/** One event for each virtual data center of the cluster, and one for the cluster itself: not one for each machine. */
async function notices(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION tell_stale() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      INSERT INTO change_log (kind, operation, entity_id, data)
      VALUES ('cluster', 'observed', md5(NEW.name)::uuid, jsonb_build_object('name', NEW.name, 'state', NEW.state, 'stale', NEW.told_stale));
      INSERT INTO change_log (kind, operation, entity_id, organization_id, vdc_id, data)
      SELECT 'vdc', 'observed', d.id, d.organization_id, d.id, jsonb_build_object('stale', NEW.told_stale)
      FROM vdcs d WHERE d.cluster = NEW.name AND d.deleted_at IS NULL;
      NOTIFY ssvirt_observations;
      RETURN NULL;
    END $function$;
    CREATE TRIGGER tell_stale AFTER UPDATE OF told_stale ON clusters
      FOR EACH ROW WHEN (coalesce(NEW.told_stale, false) <> coalesce(OLD.told_stale, false)) EXECUTE FUNCTION tell_stale();

    -- The same for namespaces that may not be read, or may be read again, where the rest of the cluster is as it was.
    CREATE FUNCTION tell_unreadable() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      INSERT INTO change_log (kind, operation, entity_id, organization_id, vdc_id, data)
      SELECT 'vdc', 'observed', d.id, d.organization_id, d.id, jsonb_build_object('stale', d.namespace = ANY (NEW.unreadable_namespaces))
      FROM vdcs d WHERE d.cluster = NEW.name AND d.deleted_at IS NULL
        AND (d.namespace = ANY (NEW.unreadable_namespaces)) <> (d.namespace = ANY (OLD.unreadable_namespaces));
      NOTIFY ssvirt_observations;
      RETURN NULL;
    END $function$;
    CREATE TRIGGER tell_unreadable AFTER UPDATE OF unreadable_namespaces ON clusters
      FOR EACH ROW WHEN (NEW.unreadable_namespaces <> OLD.unreadable_namespaces AND NEW.told_stale IS NOT TRUE) EXECUTE FUNCTION tell_unreadable();

    -- The same for a machine whose row could not be written for a long time, or can be written again. Its status is the one before.
    CREATE FUNCTION tell_unwritten() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      INSERT INTO change_log (kind, operation, entity_id, organization_id, vdc_id, vapp_id, data)
      SELECT 'vm', 'observed', v.id, v.organization_id, v.vdc_id, v.vapp_id, jsonb_build_object('status', s.status, 'previous', s.status,
        'stale', vm_is_stale(v.deleted_at, o.status, v.namespace, c.name, cluster_is_current(c.state, c.contacted_at, c.current_until), c.unreadable_namespaces,
          NEW.resolved_at IS NULL))
      FROM vms v
      LEFT JOIN vm_observed o ON o.vm_id = v.id
      LEFT JOIN clusters c ON c.name = v.cluster
      CROSS JOIN LATERAL (SELECT coalesce(o.status, 'UNRESOLVED') AS status) s
      WHERE v.cluster = NEW.cluster AND v.namespace = NEW.namespace AND v.vm_name = NEW.vm_name AND v.deleted_at IS NULL AND o.gone IS NOT TRUE;
      IF FOUND THEN NOTIFY ssvirt_observations; END IF;
      RETURN NULL;
    END $function$;
    CREATE TRIGGER tell_unwritten AFTER INSERT ON sync_failures FOR EACH ROW WHEN (NEW.resolved_at IS NULL) EXECUTE FUNCTION tell_unwritten();
    CREATE TRIGGER tell_written AFTER UPDATE OF resolved_at ON sync_failures
      FOR EACH ROW WHEN ((NEW.resolved_at IS NULL) <> (OLD.resolved_at IS NULL)) EXECUTE FUNCTION tell_unwritten();
  `.execute(db);
}
