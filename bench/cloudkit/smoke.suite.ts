/**
 * Checks that the bench runs and still measures everything it claims. The figures mean nothing on a host that runs
 * tests.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { smokeOf } from '../operator/smoke.ts';
import type { Figure } from '../sandbox/figures.ts';
import { measurable } from '../sandbox/processes.ts';

const shares = (what: string): readonly string[] =>
  ['p50', 'p90', 'p99', 'slowest'].map((share) => `${what}, ${share}`);
const applied = [
  'until the last order was created',
  'until the last order was applied',
  ...shares('created → applied'),
  'created → applied, slowest of all rounds',
];
const behind = ['orders that failed', 'from their deletion until the last was gone'];

const measured: Readonly<Record<string, readonly string[]>> = {
  'nothing simulated': [
    ...applied,
    ...behind,
    'the same raw writes, until all were answered',
    ...shares('raw: created → last write answered'),
    'operator / raw writes',
  ],
  'each order': [
    'requests',
    'of these read (GET)',
    'of these create (POST)',
    'of these patch or apply (PATCH)',
    'changes of the order',
    'reconciles',
    'processor time of the operator',
    'processor time of the server',
    'processor time of the server, raw writes',
  ],
  memory: ['resident before', 'peak', 'resident afterwards'],
  'KubeVirt simulated, 100 times as fast': [
    ...applied,
    ...shares('created → Ready'),
    'created → Ready, slowest of all rounds',
    ...behind,
  ],
};

const failed = ({ name }: Figure): boolean => name === 'orders that failed';

test(
  'the bench measures an operator with few orders, none of which fails',
  { skip: !measurable && 'it reads /proc' },
  async () => {
    const args = ['--quick', '--orders', '4', '--rounds', '2'];
    const main = join(import.meta.dirname, 'main.ts');
    const { stdout: said } = await smokeOf({ main, args, measured, mayBeNone: failed });
    assert.match(said, /4 orders at once, 2 rounds/);
    assert.match(said, /orders that failed +\| +\| +0\.00 \|/);
  },
);
