/**
 * A ticket admits its user to the console of one VM, once and soon. Tickets are found by a digest; the ticket itself is
 * never stored.
 */
import { sql, type Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { ConsoleTicketTable, OrganizationId, SessionId, Tables, UserId, VmId } from '../schema/schema.ts';

export type ConsoleKind = ConsoleTicketTable['kind'];

export interface NewConsoleTicket extends Pick<ConsoleTicketTable, 'hash' | 'vm_id' | 'session_id' | 'kind'> {
  readonly lastsMs: number;
}

/** `TicketHolder` is the user of a ticket, and the VM it is for. */
export interface TicketHolder {
  readonly kind: ConsoleKind;
  readonly session_id: SessionId;
  readonly user_id: UserId;
  readonly username: string;
  readonly organization_id: OrganizationId;
  readonly organization_name: string;
  /** Role names. */
  readonly roles: readonly string[];
  readonly vm_id: VmId;
  readonly vm_name: string;
  /** The VM's organization. */
  readonly vm_organization_id: OrganizationId;
  readonly cluster: string;
  readonly namespace: string;
  /** The name of the Kubernetes object. */
  readonly object_name: string;
}

/** `HeldConsole` is an open console: its session and its VM. */
export interface HeldConsole {
  readonly session_id: SessionId;
  readonly vm_id: VmId;
}

/** `expires_at` is computed by PostgreSQL's clock, which also decides when the ticket expires. */
export async function createConsoleTicket(
  db: Kysely<Tables>,
  { lastsMs, ...ticket }: NewConsoleTicket,
): Promise<{ expires_at: Date }> {
  const expires_at = sql<Date>`now() + ${lastsMs}::float8 * interval '1 millisecond'`;
  return db
    .insertInto('console_tickets')
    .values({ ...ticket, expires_at })
    .returning('expires_at')
    .executeTakeFirstOrThrow();
}

const parties = `sessions s
  JOIN users u ON u.id = s.user_id JOIN organizations o ON o.id = u.organization_id,
  vms v JOIN vapps a ON a.id = v.vapp_id JOIN vdcs d ON d.id = a.vdc_id JOIN vm_status st ON st.vm_id = v.id`;

const roles = `ARRAY(SELECT r.name FROM user_roles ur JOIN roles r ON r.id = ur.role_id WHERE ur.user_id = u.id ORDER BY r.name)`;

/** The conditions of sessions.ts; also, the VM exists and its session may still see it. */
const admitted = `s.ended_at IS NULL AND s.expires_at > now()
  AND u.enabled AND NOT u.locked AND u.deleted_at IS NULL AND o.enabled AND o.deleted_at IS NULL
  AND st.status <> 'DELETED'
  AND (d.organization_id = s.organization_id OR 'System Administrator' = ANY (${roles}))`;

const holder = `t.kind, s.id AS session_id, s.user_id, u.username, s.organization_id, o.name AS organization_name, ${roles} AS roles,
  v.id AS vm_id, v.name AS vm_name, d.organization_id AS vm_organization_id, v.cluster, v.namespace, v.vm_name AS object_name`;

const unused = `t.used_at IS NULL AND t.expires_at > now()`;

/** `peekConsoleTicket` resolves to the ticket's holder while the ticket can be used. Does not use it up. */
export async function peekConsoleTicket(pool: Pool, hash: Buffer): Promise<TicketHolder | undefined> {
  const text = `SELECT ${holder} FROM console_tickets t, ${parties}
    WHERE t.hash = $1 AND s.id = t.session_id AND v.id = t.vm_id AND ${unused} AND ${admitted}`;
  const { rows } = await pool.query<TicketHolder>({ name: 'ssvirt_console_ticket', text, values: [hash] });
  return rows[0];
}

/** `useConsoleTicket` uses the ticket up: of several concurrent callers with the same ticket one succeeds. */
export async function useConsoleTicket(pool: Pool, hash: Buffer): Promise<TicketHolder | undefined> {
  const text = `UPDATE console_tickets t SET used_at = now() FROM ${parties}
    WHERE t.hash = $1 AND s.id = t.session_id AND v.id = t.vm_id AND ${unused} AND ${admitted}
    RETURNING ${holder}`;
  const { rows } = await pool.query<TicketHolder>({ name: 'ssvirt_use_console_ticket', text, values: [hash] });
  return rows[0];
}

/** `formerConsoleTicket` returns the holder of a ticket in any state, for the audit record of a refusal. */
export async function formerConsoleTicket(pool: Pool, hash: Buffer): Promise<TicketHolder | undefined> {
  const text = `SELECT ${holder} FROM console_tickets t, ${parties} WHERE t.hash = $1 AND s.id = t.session_id AND v.id = t.vm_id`;
  const { rows } = await pool.query<TicketHolder>({ name: 'ssvirt_former_console_ticket', text, values: [hash] });
  return rows[0];
}

/** For each console, the roles of its user if it may stay open; otherwise undefined. */
export async function consolesThatStay(
  pool: Pool,
  held: readonly HeldConsole[],
): Promise<readonly (readonly string[] | undefined)[]> {
  const text = `SELECT given.at, found.roles FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS given (session_id, vm_id, at)
    JOIN LATERAL (SELECT ${roles} AS roles FROM ${parties} WHERE s.id = given.session_id AND v.id = given.vm_id AND ${admitted} LIMIT 1) found ON true`;
  const values = [held.map(({ session_id }) => session_id), held.map(({ vm_id }) => vm_id)];
  const { rows } = await pool.query<{ at: number; roles: readonly string[] }>({
    name: 'ssvirt_consoles_that_stay',
    text,
    values,
  });
  const staying = new Map(rows.map(({ at, roles: names }) => [at, names]));
  return held.map((_, index) => staying.get(index + 1));
}

/** Expired tickets are kept for an hour, so that the audit can still name the holder of one that comes late. */
export async function dropOldConsoleTickets(db: Kysely<Tables>): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('console_tickets')
    .where('expires_at', '<', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
