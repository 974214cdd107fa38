/**
 * The statements' plans are kept: they must be right for large tables although they are made while the tables are
 * empty.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type pg from 'pg';
import { startTestDatabase, type TestDatabase } from '../../../../../test/database/harness.ts';
import { buildWorld } from '../../../../../test/database/observed-world.ts';
import { createObservationStore } from './store.ts';

let test: TestDatabase;
before(async () => {
  test = await startTestDatabase({ maxConnections: 1 });
});
after(() => test.stop());

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Node[];
}

/** The plan on the connection where the statement was prepared; the pool has only one. */
async function planOf(pool: pg.Pool, statement: string): Promise<Node> {
  const { rows } = await pool.query<{ 'QUERY PLAN': readonly { readonly Plan: Node }[] }>(
    `EXPLAIN (FORMAT JSON) EXECUTE ${statement}('vm-controller', 1, 0, 1, '[]')`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  assert.ok(plan);
  return plan;
}

const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

it('looks up each row by the key of an index, in tables that were empty when they were counted', async () => {
  const { pool } = test.database;
  await pool.query('ANALYZE');
  const { term } = await buildWorld(pool);
  const store = createObservationStore(pool);
  await store.write(term, 1, { observations: [], deletions: [] });
  await store.writeVapps(term, 2, []);
  for (const statement of ['ssvirt_write_vms', 'ssvirt_write_vapps']) {
    const nodes = nodesOf(await planOf(pool, statement));
    const looks = nodes.filter((node) => node['Relation Name'] !== undefined && /Scan/.test(node['Node Type']));
    assert.ok(looks.length > 5);
    for (const look of looks) assert.ok(look['Index Cond'], `${statement}: ${JSON.stringify(look)}`);
    assert.deepEqual(
      nodes.filter((node) => /Hash Join|Merge Join|Materialize/.test(node['Node Type'])),
      [],
    );
  }
});
