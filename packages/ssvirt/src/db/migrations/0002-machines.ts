/**
 * What is asked for (vapps, vms: written by the API server) and what the clusters say (vm_observed, vapp_observed, clusters: written by the
 * vm-controller). Each table has one writer, so a batch of observations and a request for a whole vApp never wait for each other's rows. The one
 * exception is an insert: the vm-controller makes rows of `vms` for machines that a template made, and these desire nothing.
 */
import { sql, type Kysely } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE vapps (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      vdc_id uuid NOT NULL REFERENCES vdcs,
      name text NOT NULL CHECK (name <> ''),
      description text NOT NULL DEFAULT '',
      -- Made for a machine that was created alone: not listed.
      hidden boolean NOT NULL DEFAULT false,
      desired_state text NOT NULL DEFAULT 'present' CHECK (desired_state IN ('present', 'absent')),
      creation text NOT NULL DEFAULT 'done' CHECK (creation IN ('running', 'done', 'failed')),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz
    );
    CREATE UNIQUE INDEX vapps_live_name ON vapps (vdc_id, lower(name)) WHERE deleted_at IS NULL;
    CREATE INDEX vapps_vdc ON vapps (vdc_id);

    CREATE TABLE vms (
      id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      vapp_id uuid NOT NULL REFERENCES vapps,
      name text NOT NULL CHECK (name <> ''),
      description text NOT NULL DEFAULT '',
      -- The VirtualMachine's place in the fleet.
      cluster text NOT NULL CHECK (cluster <> ''),
      namespace text NOT NULL CHECK (namespace <> ''),
      vm_name text NOT NULL CHECK (vm_name <> ''),
      origin text NOT NULL DEFAULT 'requested' CHECK (origin IN ('requested', 'discovered')),
      -- 'none': nobody here has asked for it, so nothing is made, changed or removed.
      desired_state text NOT NULL DEFAULT 'present' CHECK (desired_state IN ('present', 'absent', 'none')),
      desired_power text CHECK (desired_power IN ('on', 'off')),
      cpu_count integer CHECK (cpu_count > 0),
      memory_mb bigint CHECK (memory_mb > 0),
      guest_os text,
      spec jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(spec) = 'object'),
      created_at timestamptz NOT NULL DEFAULT now(),
      updated_at timestamptz NOT NULL DEFAULT now(),
      deleted_at timestamptz,
      -- Nobody here knows how to make a machine that was discovered; it may still be asked to run, to stop, and to go.
      CHECK (origin = 'requested' OR desired_state <> 'present')
    );
    CREATE UNIQUE INDEX vms_live_name ON vms (vapp_id, lower(name)) WHERE deleted_at IS NULL AND origin = 'requested';
    CREATE UNIQUE INDEX vms_live_object ON vms (cluster, namespace, vm_name) WHERE deleted_at IS NULL AND origin = 'requested';
    CREATE INDEX vms_object ON vms (cluster, namespace, vm_name);
    CREATE INDEX vms_vapp ON vms (vapp_id, vm_name);

    CREATE TABLE vm_observed (
      vm_id uuid PRIMARY KEY REFERENCES vms ON DELETE CASCADE,
      cluster text NOT NULL,
      namespace text NOT NULL,
      name text NOT NULL,
      -- Of the VirtualMachine that the row is bound to, for good: one that is made again under the same name is another row.
      uid uuid NOT NULL,
      generation bigint NOT NULL DEFAULT 0,
      status text NOT NULL CHECK (status IN ('POWERED_ON', 'POWERED_OFF', 'POWERING_ON', 'POWERING_OFF', 'SUSPENDED',
        'FAILED', 'UNKNOWN', 'DELETING', 'DELETED')),
      -- For the index below: with the status in its condition each change of status would be a new entry in every index (no HOT update).
      gone boolean NOT NULL GENERATED ALWAYS AS (status = 'DELETED') STORED,
      -- A disk is still being imported though nobody wants the machine to run.
      busy boolean NOT NULL DEFAULT false,
      restart_required boolean NOT NULL DEFAULT false,
      -- Why it does not run: a word for programs, a sentence for the tenant.
      fault_reason text,
      fault text,
      cpu_count integer,
      memory_mb bigint,
      guest_os text,
      ip_addresses text[] NOT NULL DEFAULT '{}',
      node text,
      host_name text,
      disks jsonb NOT NULL DEFAULT '[]',
      -- The order of writes: the leader's epoch, and the sequence in that leader. A row never goes back in it.
      epoch bigint NOT NULL,
      sequence bigint NOT NULL,
      first_observed_at timestamptz NOT NULL DEFAULT now(),
      status_changed_at timestamptz NOT NULL DEFAULT now(),
      observed_at timestamptz NOT NULL DEFAULT now()
    ) WITH (fillfactor = 70);
    CREATE UNIQUE INDEX vm_observed_uid ON vm_observed (cluster, uid);
    CREATE UNIQUE INDEX vm_observed_live_object ON vm_observed (cluster, namespace, name) WHERE NOT gone;

    CREATE TABLE vapp_observed (
      vapp_id uuid PRIMARY KEY REFERENCES vapps ON DELETE CASCADE,
      cluster text NOT NULL,
      namespace text NOT NULL,
      -- Of the TemplateInstance.
      name text NOT NULL,
      uid uuid NOT NULL,
      creation text NOT NULL CHECK (creation IN ('running', 'done', 'failed')),
      fault text,
      epoch bigint NOT NULL,
      sequence bigint NOT NULL,
      observed_at timestamptz NOT NULL DEFAULT now()
    );

    CREATE TABLE clusters (
      name text PRIMARY KEY,
      -- The uid of its namespace kube-system, recorded at first contact.
      identity text,
      -- Another one that a person has accepted; the controller takes it over as the identity.
      accepted_identity text,
      state text NOT NULL CHECK (state IN ('synced', 'stale', 'frozen')),
      message text NOT NULL DEFAULT '',
      unreadable_namespaces text[] NOT NULL DEFAULT '{}',
      state_since timestamptz NOT NULL DEFAULT now(),
      synced_at timestamptz,
      epoch bigint NOT NULL,
      updated_at timestamptz NOT NULL DEFAULT now()
    );

    -- What is shown of a machine, out of what is desired and what is observed.
    CREATE VIEW vm_status AS
    SELECT v.id AS vm_id, v.vapp_id,
      CASE
        WHEN o.status = 'DELETED' OR v.deleted_at IS NOT NULL THEN 'DELETED'
        WHEN v.desired_state = 'absent' THEN 'DELETING'
        ELSE coalesce(o.status, 'UNRESOLVED')
      END AS status,
      -- Unknown to be true now: the cluster, or the namespace, cannot be read.
      coalesce(v.deleted_at IS NULL AND o.status <> 'DELETED' AND (c.state IS DISTINCT FROM 'synced' OR v.namespace = ANY (c.unreadable_namespaces)), false) AS stale
    FROM vms v
    LEFT JOIN vm_observed o ON o.vm_id = v.id
    LEFT JOIN clusters c ON c.name = v.cluster;

    -- VCD's words and precedence. Deleted machines never count.
    CREATE VIEW vapp_status AS
    SELECT a.id AS vapp_id,
      CASE
        WHEN a.desired_state = 'absent' THEN 'DELETING'
        WHEN c.creation = 'running' THEN 'UNRESOLVED'
        WHEN c.creation = 'failed' THEN 'FAILED_CREATION'
        WHEN m.first IS NULL THEN 'RESOLVED'
        WHEN m.first = m.last THEN m.first
        ELSE 'MIXED'
      END AS status,
      coalesce(m.stale, false) AS stale
    FROM vapps a
    LEFT JOIN vapp_observed o ON o.vapp_id = a.id
    -- Who has asked for it knows best; where that is over, the template instance may still be at work.
    CROSS JOIN LATERAL (SELECT CASE a.creation WHEN 'done' THEN coalesce(o.creation, 'done') ELSE a.creation END AS creation) c
    LEFT JOIN LATERAL (
      SELECT min(s.status) AS first, max(s.status) AS last, bool_or(s.stale) AS stale
      FROM vm_status s WHERE s.vapp_id = a.id AND s.status <> 'DELETED'
    ) m ON true;
  `.execute(db);
}
