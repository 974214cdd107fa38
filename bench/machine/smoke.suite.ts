/**
 * Checks that the bench runs and still measures everything it claims. Times mean nothing on a host that runs tests, but
 * counts do: in a minute without changes, Machines are reconciled and cause no request.
 */
// only in make test-all: bench/cloudkit/smoke.suite.ts runs the same bench code
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { smokeOf } from '../operator/smoke.ts';
import { measurable } from '../sandbox/processes.ts';

const measured: Readonly<Record<string, readonly string[]>> = {
  memory: ['resident before', 'peak', 'resident afterwards'],
  time: [
    'until the last Machine was applied',
    'until the last virtual machine was there',
    'Machine seen → virtual machine there, p50',
    'Machine seen → virtual machine there, p99',
    'the same raw writes, until all were answered',
    'raw: Machine sent → virtual machine answered, p50',
    'raw: Machine sent → virtual machine answered, p99',
    'operator / raw writes',
  ],
  'each Machine': [
    'requests',
    'of these read (GET)',
    'of these create (POST)',
    'of these patch or apply (PATCH)',
    'changes of the Machine',
    'changes of the virtual machine',
    'reconciles, all controllers',
    'processor time of the operator',
    'processor time of the servers',
    'processor time of the servers, raw writes',
  ],
  'an idle minute': [
    'requests',
    'of these renew Leases (PUT)',
    'of these read or watch (GET)',
    'of these write anything else',
    'reconciles, all controllers',
    'processor',
  ],
};
/** Zero in a healthy run. */
const mayBeNone: ReadonlySet<string> = new Set(['changes of the virtual machine', 'of these write anything else']);
const [machines, clusters] = [300, 3];

test(
  'the bench measures an operator with many Machines, for which nothing is asked or written while nothing happens',
  { skip: !measurable && 'it reads /proc' },
  async () => {
    const args = ['--quick', '--machines', `${machines}`, '--clusters', `${clusters}`, '--idle', '60'];
    const main = join(import.meta.dirname, 'main.ts');
    const { stdout, figures } = await smokeOf({ main, args, measured, mayBeNone: ({ name }) => mayBeNone.has(name) });
    assert.match(stdout, new RegExp(`${machines} Machines on ${clusters} clusters`));
    const minute = figures.filter(({ section }) => section === 'an idle minute');
    const idle = new Map(minute.map(({ name, value }) => [name, value]));
    assert.ok((idle.get('reconciles, all controllers') ?? 0) >= machines, 'all were looked at');
    // Nothing is written. Once a minute the operator asks each cluster who it is, by POST.
    assert.ok((idle.get('of these write anything else') ?? 0) <= 2 * clusters, JSON.stringify([...idle]));
    // The fleet probes its members, and watches end: a few requests per cluster, none per Machine.
    assert.ok((idle.get('of these read or watch (GET)') ?? 0) < machines / 3, JSON.stringify([...idle]));
  },
);
