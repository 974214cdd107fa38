/**
 * Machines that cannot be created as declared, all at once and next to good ones: each reports what is wrong and what
 * to do, and runs once that is done.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Registry } from 'prom-client';
import { machines } from '../../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import { namespaces } from '../../../packages/ssvirt/src/fleet/kinds.ts';
import { createMetrics } from '../../../packages/kube/src/metrics/metrics.ts';
import type { MachineSpec } from '../../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { team, type RunningOperator } from '../harness.ts';
import { until } from '../../runtime/until.ts';
import { badSpecs, type BadSpec } from './cases.ts';
import { conditionOf, full, World, type Key } from './world.ts';

const never = 3_600_000;
const quietMs = 2000;
const keyOf = ({ namespace = team, name }: BadSpec): Key => ({ namespace, name });
const good: readonly string[] = [
  'good',
  'g'.repeat(63),
  `${'g'.repeat(49)}.${'h'.repeat(50)}`,
  `${'g'.repeat(120)}.${'h'.repeat(132)}`,
];

describe('bad Machines', () => {
  let world: World;
  let operator: RunningOperator;
  const asked = createMetrics(new Registry());

  before(async () => {
    world = await World.start();
    operator = await world.harness.operate(
      { resyncMs: never },
      { metrics: asked, times: { intervalMs: never, probeMs: never, deadlineMs: 60_000, retryMs: 50 } },
    );
    await Promise.all(badSpecs.flatMap((one) => one.first?.(world) ?? []));
    await Promise.all(badSpecs.map((one) => declare(keyOf(one), one.spec, one.annotations)));
    const spec = { template: 'small', kubevirtConfigRef: full };
    await Promise.all(good.map((name) => declare({ namespace: team, name }, spec)));
  });
  after(async () => {
    await world?.harness.stop();
  });

  const declare = async (key: Key, spec: MachineSpec, annotations = {}): Promise<void> => {
    await world.supervisor.create(machines, { metadata: { ...key, annotations }, spec });
  };

  for (const name of good)
    test(`do not hold up one of ${name.length} characters`, () => world.runs({ namespace: team, name }));

  for (const one of badSpecs.filter(({ change }) => change !== undefined))
    test(`come of a change: ${one.name}`, async () => {
      await world.runs(keyOf(one));
      await one.change?.(world, keyOf(one));
    });

  for (const one of badSpecs)
    test(`say what is wrong: ${one.name}, ${one.reason}`, async () => {
      const { reason, phase, says, parts = [] } = one;
      const machine = await world.reaches(keyOf(one), `says ${reason}`, (found) => {
        const { status: state, message = '' } = conditionOf(found, 'Ready') ?? {};
        return state === 'False' && conditionOf(found, 'Ready')?.reason === reason && isSaid(message, says);
      });
      if (phase !== undefined) assert.equal(machine.status?.phase, phase);
      const has = (machine.status?.conditions ?? []).map((each) => `${each.type}=${each.status}:${each.reason}`);
      assert.deepEqual(
        parts.filter((part) => !has.includes(part)),
        [],
      );
    });

  test('of which the cluster itself makes another try run when that works', async () => {
    const restless = badSpecs.filter((one) => one.restless === true);
    for (const one of restless) await one.mend(world, keyOf(one));
    for (const one of restless) await world.runs(keyOf(one));
  });

  test('are not tried again and again, and nothing has failed', async () => {
    let before = '';
    await until(
      'nothing was asked or looked at for a while',
      async () => {
        const now = `${await sum(asked.rest.requests)} ${await sum(world.harness.fleets.metrics.rest.requests)} ${await rounds()}`;
        const isQuiet = now === before;
        before = now;
        return isQuiet;
      },
      { deadlineMs: 100_000, everyMs: quietMs },
    );
    // A fix above may have conflicted with a write of the operator, which then retries: that is no failure.
    const isFailure = (err: unknown): boolean => err !== undefined && (err as { kind?: unknown }).kind !== 'Conflict';
    const failures = world.harness.lines.filter(({ err, level }) => isFailure(err) || Number(level) >= 50);
    assert.deepEqual(failures, []);
  });

  for (const one of badSpecs.filter(({ restless }) => restless !== true))
    test(`can be mended as they say: ${one.name}`, async () => {
      await one.mend(world, keyOf(one));
    });

  for (const one of badSpecs) test(`run when they are mended: ${one.name}`, () => world.runs(keyOf(one)));

  test('are let go when the cluster does not refuse that any more', async () => {
    const key = { namespace: team, name: 'good' };
    const { faults } = world.harness.member(full);
    const path = `/apis/kubevirt.io/v1/namespaces/${team}/virtualmachines/vm-good`;
    const { id } = faults.add({ kind: '403', path, verbs: ['delete'] });
    await world.supervisor.delete(machines, key);
    const held = await world.reaches(
      key,
      'says that',
      (found) => conditionOf(found, 'Ready')?.reason === 'KubeVirtApiError',
    );
    assert.match(
      conditionOf(held, 'Ready')?.message ?? '',
      /^Failed to delete the objects of Machine "good" in remote cluster "east": .* Grant the account of the kubeconfig the missing rights$/,
    );
    faults.remove(id);
    await world.change(key, { metadata: { annotations: { 'example.com/again': 'please' } } });
    await world.gone(key);
  });

  test('go with their namespace', async () => {
    const key = { namespace: 'ending', name: 'ending-namespace' };
    await world.east.delete(namespaces, { name: key.namespace });
    await world.supervisor.delete(machines, key);
    await world.gone(key);
  });

  test('that have not the form of the definition say so, and others are worked on', async () => {
    await world.loosen();
    const odd: Readonly<Record<string, readonly [spec: unknown, says: string]>> = {
      'odd-nothing': [undefined, 'spec.resources.memory.size is needed where spec.template names no template'],
      'odd-text': ['small', 'spec is "small": it must be an object with fields.'],
      'odd-cores': [
        { template: 'small', resources: { cpu: { cores: '2' } } },
        'spec.resources.cpu.cores is "2": it must be a number',
      ],
      'odd-networks': [
        { template: 'small', networks: { name: 'lan' } },
        'spec.networks is {"name":"lan"}: it must be a list',
      ],
      'odd-address': [
        { template: 'small', networks: [{ name: 'lan', macAddress: 52 }] },
        'spec.networks[0].macAddress is 52',
      ],
      'odd-disks': [{ template: 'small', disks: [null] }, 'spec.disks[0] is null'],
      'odd-running': [{ template: 'small', running: 'no' }, 'spec.running is "no": it must be true or false'],
    };
    const key = (name: string): Key => ({ namespace: team, name });
    const annotations = { 'vitistack.io/kubevirt-config': full };
    for (const [name, [spec]] of Object.entries(odd)) await declare(key(name), spec as MachineSpec, annotations);
    await declare(key('even'), { template: 'small' }, annotations);
    for (const [name, [, says]] of Object.entries(odd))
      await world.reaches(key(name), 'says so', (found) => {
        const { reason, message = '' } = conditionOf(found, 'Ready') ?? {};
        return reason === 'InvalidSpec' && message.startsWith(says) && found.status?.phase === 'Failed';
      });
    await world.runs(key('even'));
    await world.change(key('odd-cores'), { spec: { resources: { cpu: { cores: 2 } } } });
    await world.runs(key('odd-cores'));
    for (const name of [...Object.keys(odd), 'even']) await world.supervisor.delete(machines, key(name));
    for (const name of [...Object.keys(odd), 'even']) await world.gone(key(name));
  });

  const rounds = async (): Promise<number> => {
    const metric = operator.registry.getSingleMetric('controller_runtime_reconcile_total');
    const { values } = (await metric?.get()) ?? { values: [] };
    return values.reduce((all, { value }) => all + value, 0);
  };
});

function isSaid(message: string, says: string | RegExp): boolean {
  return typeof says === 'string' ? message === says : says.test(message);
}

async function sum(metric: { get(): Promise<{ values: readonly { value: number }[] }> }): Promise<number> {
  return (await metric.get()).values.reduce((all, { value }) => all + value, 0);
}
