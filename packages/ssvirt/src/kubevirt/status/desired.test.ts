import { defined } from '@ssvirt/base/values/defined';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vmFacts } from '../facts/vm.ts';
import { vmiFacts } from '../facts/vmi.ts';
import { desiredState, type DesiredState } from './desired.ts';

interface Row {
  readonly why: string;
  readonly spec: object;
  readonly status?: object;
  readonly wanted: DesiredState;
}

const asks = (...actions: string[]): object => ({ stateChangeRequests: actions.map((action) => ({ action })) });
const is = (printableStatus: string, more: object = {}): object => ({ printableStatus, ...more });

const rows: readonly Row[] = [
  { why: 'Always runs', spec: { runStrategy: 'Always' }, wanted: 'on' },
  { why: 'running is the older word for Always', spec: { running: true }, wanted: 'on' },
  { why: 'not running is Halted', spec: { running: false }, wanted: 'off' },
  { why: 'nothing said is off', spec: {}, wanted: 'off' },
  {
    why: 'Halted is off, whatever it does',
    spec: { runStrategy: 'Halted' },
    status: is('Running', { created: true }),
    wanted: 'off',
  },
  { why: 'a start that is queued counts', spec: { runStrategy: 'Halted' }, status: asks('Start'), wanted: 'on' },
  {
    why: 'a restart is meant to come up',
    spec: { runStrategy: 'Manual' },
    status: asks('Stop', 'Start'),
    wanted: 'on',
  },
  { why: 'Always comes up after a Stop', spec: { runStrategy: 'Always' }, status: asks('Stop'), wanted: 'on' },
  {
    why: 'a stop of the others counts',
    spec: { runStrategy: 'RerunOnFailure' },
    status: { ...is('Running', { created: true, runStrategy: 'RerunOnFailure' }), ...asks('Stop') },
    wanted: 'off',
  },
  {
    why: 'a new RerunOnFailure starts by itself',
    spec: { runStrategy: 'RerunOnFailure' },
    status: is('Stopped'),
    wanted: 'on',
  },
  {
    why: 'one that was Halted before, too',
    spec: { runStrategy: 'RerunOnFailure' },
    status: is('Stopped', { runStrategy: 'Halted' }),
    wanted: 'on',
  },
  {
    why: 'RerunOnFailure that runs',
    spec: { runStrategy: 'RerunOnFailure' },
    status: is('Running', { created: true, runStrategy: 'RerunOnFailure' }),
    wanted: 'on',
  },
  {
    why: 'RerunOnFailure that ended well',
    spec: { runStrategy: 'RerunOnFailure' },
    status: is('Stopped', { created: true, runStrategy: 'RerunOnFailure' }),
    wanted: 'off',
  },
  {
    why: 'RerunOnFailure that was stopped before it ran',
    spec: { runStrategy: 'RerunOnFailure' },
    status: is('CrashLoopBackOff', { runStrategy: 'RerunOnFailure' }),
    wanted: 'off',
  },
  {
    why: 'RerunOnFailure that will be tried again',
    spec: { runStrategy: 'RerunOnFailure' },
    status: { ...is('CrashLoopBackOff', { runStrategy: 'RerunOnFailure' }), ...asks('Start') },
    wanted: 'on',
  },
  { why: 'Manual that was never started', spec: { runStrategy: 'Manual' }, status: is('Stopped'), wanted: 'off' },
  { why: 'Manual whose disk is imported', spec: { runStrategy: 'Manual' }, status: is('Provisioning'), wanted: 'off' },
  { why: 'Manual whose instance is being made', spec: { runStrategy: 'Manual' }, status: is('Starting'), wanted: 'on' },
  {
    why: 'Manual whose ended instance lies there',
    spec: { runStrategy: 'Manual' },
    status: is('Stopped', { created: true }),
    wanted: 'off',
  },
  { why: 'Once that was not started yet', spec: { runStrategy: 'Once' }, status: is('Stopped'), wanted: 'on' },
  { why: 'Once that runs', spec: { runStrategy: 'Once' }, status: is('Running', { created: true }), wanted: 'on' },
  { why: 'Once that has run', spec: { runStrategy: 'Once' }, status: is('Stopped', { created: true }), wanted: 'off' },
  {
    why: 'Once whose instance was removed starts again',
    spec: { runStrategy: 'Once' },
    status: is('Stopped', { runStrategy: 'Once' }),
    wanted: 'on',
  },
  {
    why: 'a receiver of a migration',
    spec: { runStrategy: 'WaitAsReceiver' },
    status: is('WaitingForReceiver'),
    wanted: 'on',
  },
  {
    why: 'a strategy of a later KubeVirt is what it does',
    spec: { runStrategy: 'Sometimes' },
    status: is('Running', { created: true }),
    wanted: 'on',
  },
];

for (const { why, spec, status, wanted } of rows)
  test(`whether a machine is meant to run: ${why}: ${wanted}`, () => {
    assert.equal(desiredState(vmFacts({ spec, ...defined({ status }) })), wanted);
  });

test('Once whose ended instance is being deleted is meant to run: KubeVirt makes the next one', () => {
  const vm = vmFacts({ spec: { runStrategy: 'Once' }, status: is('Stopped', { created: true }) });
  const vmi = vmiFacts({ metadata: { deletionTimestamp: 'now' }, status: { phase: 'Succeeded' } });
  assert.equal(desiredState(vm, vmi), 'on');
});
