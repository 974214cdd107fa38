/** The log of every write of vm_observed, filled by a trigger, and the rules that all writes must obey. */
import type { Pool } from 'pg';

export interface Write {
  /** Ascending in write order: a writer locks its row, and a new leader waits for the writes of the previous one. */
  readonly id: number;
  readonly vmId: string;
  readonly cluster: string;
  readonly name: string;
  readonly uid: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly generation: number;
  readonly status: string;
  readonly transaction: string;
  readonly at: Date;
}

export async function keepWrites(pool: Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE test_writes (
      id bigserial PRIMARY KEY, vm_id uuid, cluster text, name text, uid uuid, epoch bigint, sequence bigint, generation bigint, status text,
      transaction xid8 DEFAULT pg_current_xact_id(), at timestamptz DEFAULT clock_timestamp());
    CREATE FUNCTION test_keep_write() RETURNS trigger LANGUAGE plpgsql AS $function$
    BEGIN
      INSERT INTO test_writes (vm_id, cluster, name, uid, epoch, sequence, generation, status)
      VALUES (NEW.vm_id, NEW.cluster, NEW.name, NEW.uid, NEW.epoch, NEW.sequence, NEW.generation, NEW.status);
      RETURN NULL;
    END $function$;
    CREATE TRIGGER test_keep_write AFTER INSERT OR UPDATE ON vm_observed FOR EACH ROW EXECUTE FUNCTION test_keep_write()`);
}

export async function readWrites(pool: Pool, after = 0): Promise<readonly Write[]> {
  const { rows } = await pool.query<Write>(
    `SELECT id::float8 AS id, vm_id AS "vmId", cluster, name, uid, epoch::float8 AS epoch, sequence::float8 AS sequence,
      generation::float8 AS generation, status, transaction::text AS transaction, at
    FROM test_writes WHERE id > $1 ORDER BY id`,
    [after],
  );
  return rows;
}

export function describeWrite({ id, cluster, name, uid, epoch, sequence, generation, status, at }: Write): string {
  return `#${id} ${at.toISOString()} ${cluster}/${name} uid ${uid.slice(0, 8)} epoch ${epoch} sequence ${sequence} generation ${generation} ${status}`;
}

/** A sentence for each forbidden write, with the history of the row. */
export function violations(writes: readonly Write[]): readonly string[] {
  return [...backInEpoch(writes), ...[...byRow(writes).values()].flatMap(ofRow), ...sharedUids(writes)];
}

/** No write may have an older epoch once a later one has begun to write. */
function backInEpoch(writes: readonly Write[]): readonly string[] {
  let newest = -Infinity;
  return writes.flatMap((write) => {
    const isOld = write.epoch < newest;
    newest = Math.max(newest, write.epoch);
    return isOld ? [`written under epoch ${write.epoch} though ${newest} had written: ${describeWrite(write)}`] : [];
  });
}

function ofRow(writes: readonly Write[]): readonly string[] {
  const found: string[] = [];
  for (const [i, write] of writes.entries()) {
    const before = writes[i - 1];
    if (before === undefined) continue;
    if (before.status === 'DELETED') found.push('a DELETED row was written again');
    if (write.uid !== before.uid) found.push('a row was bound to another machine');
    if (write.generation < before.generation) found.push('a row went back to an older generation');
    if (write.epoch < before.epoch || (write.epoch === before.epoch && write.sequence <= before.sequence))
      found.push('a row went back in the order of writes');
  }
  return found.map((what) => `${what}:\n  ${writes.map(describeWrite).join('\n  ')}`);
}

function sharedUids(writes: readonly Write[]): readonly string[] {
  const rows = new Map<string, string>();
  return writes.flatMap((write) => {
    const uid = `${write.cluster} ${write.uid}`;
    const row = rows.get(uid);
    rows.set(uid, write.vmId);
    return row === undefined || row === write.vmId ? [] : [`two rows for one machine: ${describeWrite(write)}`];
  });
}

function byRow(writes: readonly Write[]): ReadonlyMap<string, readonly Write[]> {
  const rows = new Map<string, Write[]>();
  for (const write of writes) {
    const row = rows.get(write.vmId);
    if (row === undefined) rows.set(write.vmId, [write]);
    else row.push(write);
  }
  return rows;
}
