/**
 * The search for the virtual machine of a Machine in three real clusters, one of which is cut off: silence is not
 * absence, and costs only its deadline.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { FleetError, type Fleet } from '../../packages/ssvirt/src/fleet/fleet.ts';
import {
  clientForMachine,
  placeMachine,
  type PlaceableMachine,
} from '../../packages/ssvirt/src/fleet/placement/place-machine.ts';
import { searchVm } from '../../packages/ssvirt/src/fleet/placement/vm-search.ts';
import { createMetrics } from '../../packages/kube/src/metrics/metrics.ts';
import { Registry } from 'prom-client';
import { until } from '../runtime/until.ts';
import {
  configsNamespace,
  installKubeVirt,
  phase,
  putConfig,
  startFleetHarness,
  virtualMachines,
  type FleetHarness,
} from './harness.ts';
import { startMemberCluster, type MemberCluster } from './sandboxes.ts';

const names = ['east', 'north', 'west'] as const;
type Name = (typeof names)[number];

describe('the search for a virtual machine', { timeout: 180_000 }, () => {
  let harness: FleetHarness;
  let members: Record<Name, MemberCluster>;
  let fleet: Fleet;

  before(async () => {
    harness = await startFleetHarness();
    const started = await Promise.all(names.map((name) => startMemberCluster(name)));
    members = Object.fromEntries(started.map((member) => [member.name, member])) as Record<Name, MemberCluster>;
    await Promise.all(started.map((member) => installKubeVirt(member)));
    // Probed seldom: the test covers what a search finds out by itself.
    const times = { intervalMs: 600_000, deadlineMs: 2000, probeMs: 600_000, retryMs: 50 };
    ({ fleet } = harness.fleet({ times, metrics: createMetrics(new Registry()) }));
    for (const name of names) await putConfig(harness.supervisor, name, members[name]);
    for (const name of names) await phase(harness.supervisor, name, 'Ready');
  });
  after(async () => {
    await harness?.stop();
    await Promise.all(Object.values(members ?? {}).map((member) => member.stop()));
  });

  const machine = (name: string, annotations: Record<string, string> = {}): PlaceableMachine => ({
    metadata: { namespace: 'default', name, uid: `uid-of-${name}`, annotations },
  });
  const put = (where: Name, name: string, uid?: string): Promise<unknown> => {
    const labels = uid === undefined ? {} : { 'ssvirt.io/parent-uid': uid };
    return members[where].client.create(virtualMachines, { metadata: { namespace: 'default', name, labels } });
  };
  /** The deadline costs nothing if every cluster answers. */
  const inWords = async (sought: PlaceableMachine, deadlineMs = 30_000): Promise<string> => {
    const placement = await placeMachine(fleet, sought, { configsNamespace, deadlineMs });
    return placement.kind === 'placed'
      ? `${placement.config} by ${placement.by}`
      : `${placement.problem.reason}: ${placement.problem.message}`;
  };

  test('what bears the uid of the Machine is found, wherever it is', async () => {
    await put('north', 'vm-web', 'uid-of-web');
    assert.equal(await inWords(machine('web')), 'north by search');
    assert.equal((await fleet.getClientForMachine(machine('web'))).cluster, 'north');
  });

  test('a Machine that has none anywhere is refused in the words that people look for', async () => {
    assert.equal(
      await inWords(machine('new')),
      'PlacementAmbiguous: Machine has no KubevirtConfig reference and 3 configs are available - cannot determine placement: VirtualMachine ' +
        '"default/vm-new" exists in none of east, north, west. Add the annotation vitistack.io/kubevirt-config: <name> or ' +
        'spec.kubevirtConfigRef with one of them, or set DEFAULT_KUBEVIRT_CONFIG for all Machines',
    );
    await assert.rejects(fleet.getClientForMachine(machine('new')), (error: unknown) => {
      return error instanceof FleetError && error.kind === 'NotPlaced' && error.message.includes('east, north, west');
    });
  });

  test('one that exists twice is refused with both clusters', async () => {
    await put('east', 'vm-twin', 'uid-of-twin');
    await put('west', 'vm-twin', 'uid-of-twin');
    assert.match(await inWords(machine('twin')), /^PlacementAmbiguous: .* exists in 2 clusters, east, west - /);
  });

  test('a stranger is taken only where the Machine says so', async () => {
    await put('west', 'vm-old');
    assert.match(await inWords(machine('old')), /^AdoptionRefused: .*"default\/vm-old" exists in west, /);
    assert.equal(await inWords(machine('old', { 'vitistack.io/adopt': 'true' })), 'west by search');
  });

  test('a cluster that is cut off, and not known to be, costs its deadline and is no answer', async () => {
    members.east.faults.add({ kind: 'silence' });
    // Each search waits this long, which suffices for the clusters that answer.
    const deadlineMs = 2000;
    try {
      assert.equal(fleet.stateOf('east')?.phase, 'Ready');
      const sought = { namespace: 'default', vmName: 'vm-new', uid: 'uid-of-new' };
      const seen = await searchVm(fleet, sought, names, { deadlineMs });
      assert.deepEqual(
        names.map((name) => seen.get(name)?.kind),
        ['unknown', 'absent', 'absent'],
      );
      assert.equal(
        await inWords(machine('new'), deadlineMs),
        'ClusterUnavailable: Failed to get VirtualMachine from remote cluster: east (no answer in time). VirtualMachine "default/vm-new" may exist ' +
          'there, and a cluster that does not answer is not one that has none. Bring it back, or name the cluster in spec.kubevirtConfigRef or ' +
          'in the annotation vitistack.io/kubevirt-config',
      );
      assert.equal(await inWords(machine('web'), deadlineMs), 'north by search');
      const adopted = machine('old', { 'vitistack.io/adopt': 'true' });
      assert.match(await inWords(adopted, deadlineMs), /^ClusterUnavailable: .*east/);
    } finally {
      members.east.faults.clear();
    }
    await until('it is found out that it has none', async () =>
      (await inWords(machine('new'))).startsWith('Placement'),
    );
  });

  test('another cluster at the same address has nothing to say about what the first one holds', async () => {
    await members.east.swap();
    await installKubeVirt(members.east);
    assert.equal(await inWords(machine('twin')), 'west by search');
    const sought = { namespace: 'default', vmName: 'vm-twin', uid: 'uid-of-twin' };
    const seen = await searchVm(fleet, sought, ['east']);
    assert.equal(seen.get('east')?.kind, 'unknown');
  });

  test('a cluster that is known to be frozen is not asked at all', async () => {
    await until('it is known', () => fleet.stateOf('east')?.phase === 'Failed');
    const { id } = members.east.faults.add({ kind: 'latency', delayMs: 0, path: '/apis/kubevirt.io' });
    const sought = { namespace: 'default', vmName: 'vm-twin', uid: 'uid-of-twin' };
    const seen = await searchVm(fleet, sought, names);
    const east = seen.get('east');
    assert.match(east?.kind === 'unknown' ? east.message : '', /leads to another cluster/);
    assert.equal(members.east.faults.list().find((fault) => fault.id === id)?.struck, 0);
  });

  test('a client for a Machine: by status, field and annotation, and an error that says why there is none', async () => {
    const placed: PlaceableMachine = { ...machine('a'), status: { kubevirtConfigRef: 'west' } };
    assert.equal((await fleet.getClientForMachine(placed)).cluster, 'west');
    assert.equal(
      (await fleet.getClientForMachine({ ...machine('a'), spec: { kubevirtConfigRef: 'north' } })).cluster,
      'north',
    );
    const annotated = machine('a', { 'vitistack.io/kubevirt-config': 'west' });
    assert.equal((await fleet.getClientForMachine(annotated)).cluster, 'west');
    assert.equal((await clientForMachine(fleet, machine('a'), { defaultConfig: 'north' })).cluster, 'north');
    const gone: PlaceableMachine = { ...machine('a'), status: { kubevirtConfigRef: 'mars' } };
    await assert.rejects(fleet.getClientForMachine(gone), (error: unknown) => {
      assert.ok(error instanceof FleetError);
      assert.deepEqual([error.kind, error.cluster], ['ClusterNotFound', 'mars']);
      return error.message.startsWith('Failed to get KubeVirt client for machine: KubevirtConfig "mars" not found');
    });
  });

  test('who gives up gets no answer that could be mistaken for one', async () => {
    const sought = { namespace: 'default', vmName: 'vm-new', uid: 'u' };
    const signal = AbortSignal.abort(new Error('the process ends'));
    await assert.rejects(searchVm(fleet, sought, names, { signal }), /the process ends/);
  });
});
