/** The rows that change while clients listen. Each changes once, so the id of a row identifies its change. */
import type pg from 'pg';
import { randomBytes } from 'node:crypto';
import { hashOfToken } from '../../../packages/ssvirt/src/api/http/authenticate.ts';
import { roleIds } from '../../../packages/ssvirt/src/db/tenants/roles.ts';
import { bigCatalog, id, organizationId, vdcId } from '../rows.ts';

const kind = 7;
/** Part of the id of each of these rows, before its number, and of no other id. */
export const changedMark = `-4000-900${kind}-`;

export const changedId = (number: number): string => id(kind, number);

/**
 * In this order: tasks, observations of VMs, catalog items that requests change, and tasks that change while the server
 * is stopped.
 */
export interface Numbers {
  readonly tasks: number;
  readonly machines: number;
  readonly items: number;
  readonly away: number;
}

export function numbersOf(changes: number): Numbers {
  const tenth = Math.ceil(changes / 10);
  return { tasks: changes / 2, machines: changes / 2, items: tenth, away: tenth };
}

export function sumOf({ tasks, machines, items, away }: Numbers): number {
  return tasks + machines + items + away;
}

const idOfRow = `('00000000-0000-4000-900${kind}-' || lpad(to_hex(n), 12, '0'))::uuid`;

export async function makeRows(pool: pg.Pool, { tasks, machines, items, away }: Numbers): Promise<void> {
  const vapp = id(4, 1);
  const ends = [tasks, tasks + machines, tasks + machines + items, tasks + machines + items + away];
  await pool.query(
    `INSERT INTO tasks (id, organization_id, owner_kind, owner_id, operation, status)
     SELECT ${idOfRow}, $1, 'vdc', $2, 'vdcUpdate', 'running' FROM generate_series(1, $5::int) n WHERE n <= $3 OR n > $4`,
    [organizationId, vdcId(1), ends[0], ends[2], ends[3]],
  );
  await pool.query(
    `INSERT INTO vms (id, vapp_id, name, cluster, namespace, vm_name, cpu_count, memory_mb)
     SELECT ${idOfRow}, $1, 'told-' || n, 'local', 'vdc-bench-1', 'told-' || n, 2, 4096 FROM generate_series($2::int + 1, $3::int) n`,
    [vapp, ends[0], ends[1]],
  );
  await pool.query(
    `INSERT INTO vm_observed (vm_id, cluster, namespace, name, uid, status, epoch, sequence)
     SELECT ${idOfRow}, 'local', 'vdc-bench-1', 'told-' || n, gen_random_uuid(), 'POWERED_ON', 0, 0 FROM generate_series($1::int + 1, $2::int) n`,
    [ends[0], ends[1]],
  );
  await pool.query(
    `INSERT INTO catalog_items (id, catalog_id, name, definition)
     SELECT ${idOfRow}, $1, 'told-' || n, '{"image": "containerdisks/fedora:42"}' FROM generate_series($2::int + 1, $3::int) n`,
    [bigCatalog, ends[1], ends[2]],
  );
}

export async function changeTask(pool: pg.Pool, number: number): Promise<void> {
  await pool.query(`UPDATE tasks SET progress = 50, updated_at = now() WHERE id = $1`, [changedId(number)]);
}

export async function changeMachine(pool: pg.Pool, number: number): Promise<void> {
  await pool.query(`UPDATE vm_observed SET status = 'POWERED_OFF', sequence = 1 WHERE vm_id = $1`, [changedId(number)]);
}

/** The commit time of each change, by its number from 1 on, in milliseconds since the epoch. */
export async function commitTimes(pool: pg.Pool, count: number): Promise<readonly number[]> {
  const { rows } = await pool.query<{ at: number }>(
    `SELECT extract(epoch FROM pg_xact_commit_timestamp(coalesce(t.xmin, o.xmin, i.xmin)))::float8 * 1000 AS at FROM generate_series(1, $1::int) n
     LEFT JOIN tasks t ON t.id = ${idOfRow} LEFT JOIN vm_observed o ON o.vm_id = ${idOfRow} LEFT JOIN catalog_items i ON i.id = ${idOfRow} ORDER BY n`,
    [count],
  );
  return rows.map(({ at }) => at);
}

/** Creates sessions for this many users of the bench's organization. */
export async function listeningSessions(pool: pg.Pool, count: number): Promise<readonly string[]> {
  const tokens = Array.from({ length: count }, () => `bench.${randomBytes(32).toString('base64url')}`);
  for (const [at, token] of tokens.entries())
    await pool.query(
      `WITH made AS (INSERT INTO users (organization_id, username) VALUES ($1, 'listener-' || $4) RETURNING id),
         granted AS (INSERT INTO user_roles (user_id, role_id) SELECT id, $2::uuid FROM made)
       INSERT INTO sessions (user_id, organization_id, token_hash, expires_at) SELECT id, $1, $3, now() + interval '1 day' FROM made`,
      [organizationId, roleIds.vappUser, hashOfToken(token), String(at)],
    );
  return tokens;
}
