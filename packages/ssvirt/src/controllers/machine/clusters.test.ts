/** Machines on several clusters: their placement, and what happens when one of the clusters does not answer. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { look, OperatorHarness, patient, team } from '../../../../../test/machine-operator/harness.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import { machines } from './machine-types.ts';
import { virtualMachines } from '../../fleet/kinds.ts';

const chosen = 'vitistack.io/kubevirt-config';

describe('Machines on several clusters', () => {
  let harness: OperatorHarness;
  const has = async (cluster: string, name: string): Promise<boolean> =>
    (await look(harness.member(cluster).client, virtualMachines, { namespace: team, name: `vm-${name}` })) !==
    undefined;

  before(async () => {
    harness = await OperatorHarness.start({ clusters: ['east', 'west', 'north', 'remote'] });
    await harness.operate();
  });

  after(async () => {
    await harness.stop();
  });

  test('go where they say, by field or by annotation, and nowhere else', async () => {
    await harness.declare('by-field', { template: 'small', running: false, kubevirtConfigRef: 'west' });
    await harness.declare('by-word', { template: 'small', running: false }, { annotations: { [chosen]: 'north' } });
    await Promise.all(['by-field', 'by-word'].map((name) => harness.condition(name, 'Ready', 'True')));
    for (const [name, there] of [
      ['by-field', 'west'],
      ['by-word', 'north'],
    ] as const)
      for (const cluster of harness.members.keys()) assert.equal(await has(cluster, name), cluster === there, cluster);
    assert.equal((await harness.machine('by-field')).metadata.annotations?.[chosen], 'west');
  });

  test('are not placed by a guess, and say what to do', async () => {
    await harness.declare('anywhere', { template: 'small', running: false });
    await harness.declare('nowhere', { template: 'small', kubevirtConfigRef: 'south' });
    await harness.declare(
      'torn',
      { template: 'small', kubevirtConfigRef: 'east' },
      { annotations: { [chosen]: 'west' } },
    );
    const { message } = await harness.condition('anywhere', 'Ready', 'False', 'PlacementAmbiguous');
    assert.match(
      message,
      /^Machine has no KubevirtConfig reference and 4 configs are available - cannot determine placement/,
    );
    await harness.condition('nowhere', 'Ready', 'False', 'KubevirtConfigNotFound');
    await harness.phase('nowhere', 'Failed');
    await harness.condition('torn', 'Ready', 'False', 'PlacementConflict');
    await harness.change('anywhere', { metadata: { annotations: { [chosen]: 'east' } } });
    await harness.condition('anywhere', 'Ready', 'True');
  });

  test('are found again where they are when their status and annotation are lost', async () => {
    await harness.declare('restored', { template: 'small', running: false }, { annotations: { [chosen]: 'west' } });
    await harness.condition('restored', 'Ready', 'True');
    const { uid } = (await harness.vm('west', 'restored')).metadata;
    const paused = 'vitistack.io/paused';
    await harness.change('restored', { metadata: { annotations: { [chosen]: null, [paused]: 'true' } } });
    const key = { namespace: team, name: 'restored' };
    const body = { status: { kubevirtConfigRef: null } };
    await harness.supervisor.client.patch(machines, key, { type: 'merge', body }, { subresource: 'status' });
    await harness.change('restored', { metadata: { annotations: { [paused]: null } } });
    await harness.reaches('restored', 'is placed again', ({ metadata, status }) => {
      return status?.kubevirtConfigRef === 'west' && metadata.annotations?.[chosen] === 'west';
    });
    assert.equal((await harness.vm('west', 'restored')).metadata.uid, uid);
    for (const other of ['east', 'north']) assert.equal(await has(other, 'restored'), false, other);
  });

  test('stay where they are when the annotation changes, which is reported and not changed back', async () => {
    await harness.declare('settled', { template: 'small', running: false }, { annotations: { [chosen]: 'west' } });
    await harness.condition('settled', 'Ready', 'True');
    await harness.change('settled', { metadata: { annotations: { [chosen]: 'east' } } });
    const { message } = await harness.condition('settled', 'PlacementDiffers', 'True', 'AnnotationDiffers');
    assert.match(
      message,
      /is "east", but the Machine is placed on "west" and never moves\. Set the annotation to "west"/,
    );
    await harness.told('settled', ['PlacementKept']);
    assert.equal((await harness.machine('settled')).metadata.annotations?.[chosen], 'east');
    await harness.condition('settled', 'Ready', 'True');
    await harness.change('settled', { metadata: { annotations: { [chosen]: null } } });
    await harness.reaches(
      'settled',
      'has the annotation again',
      ({ metadata, status }) =>
        metadata.annotations?.[chosen] === 'west' &&
        findCondition(status?.conditions, 'PlacementDiffers') === undefined,
    );
    assert.equal((await harness.machine('settled')).status?.kubevirtConfigRef, 'west');
    for (const other of ['east', 'north']) assert.equal(await has(other, 'settled'), false, other);
  });

  test('do not share an address on one cluster', async () => {
    const networks = [{ name: 'default', macAddress: '52:54:00:00:00:01' }];
    await harness.declare('first', { template: 'small', running: false, networks, kubevirtConfigRef: 'east' });
    await harness.condition('first', 'Ready', 'True');
    await harness.declare('elsewhere', { template: 'small', running: false, networks, kubevirtConfigRef: 'west' });
    await harness.condition('elsewhere', 'Ready', 'True');
    await harness.declare('second', { template: 'small', running: false, networks, kubevirtConfigRef: 'east' });
    await harness.condition('second', 'Ready', 'False', 'MacAddressConflict');
    await harness.supervisor.client.delete(machines, { namespace: team, name: 'first' });
    await harness.condition('second', 'Ready', 'True');
  });

  test('go elsewhere when their cluster was never reached, by field and by annotation, and may be deleted', async () => {
    // No Machine was placed there before: a cluster that has just answered is not asked again.
    const { faults } = harness.member('remote');
    faults.add({ kind: 'silence' });
    const small = { template: 'small', running: false } as const;
    await harness.declare('adrift-field', { ...small, kubevirtConfigRef: 'remote' });
    await harness.declare('adrift-word', small, { annotations: { [chosen]: 'remote' } });
    await harness.declare('adrift-gone', { ...small, kubevirtConfigRef: 'remote' });
    const names = ['adrift-field', 'adrift-word', 'adrift-gone'];
    for (const name of names) {
      const { metadata, status } = await harness.reaches(name, 'is placed, or waits', (one) => {
        const ready = findCondition(one.status?.conditions, 'Ready');
        return one.status?.kubevirtConfigRef !== undefined || ready?.reason === 'ClusterUnavailable';
      });
      assert.equal(status?.kubevirtConfigRef, undefined);
      assert.deepEqual(metadata.finalizers ?? [], []);
      assert.match(
        findCondition(status?.conditions, 'Ready')?.message ?? '',
        /The Machine goes to "remote" when that cluster is back\. Nothing was created for it yet: to run it elsewhere, name the cluster in/,
      );
    }
    await harness.change('adrift-field', { spec: { kubevirtConfigRef: 'east' } });
    await harness.change('adrift-word', { metadata: { annotations: { [chosen]: 'west' } } });
    await harness.supervisor.client.delete(machines, { namespace: team, name: 'adrift-gone' });
    await harness.gone('adrift-gone');
    await Promise.all(['adrift-field', 'adrift-word'].map((name) => harness.condition(name, 'Ready', 'True')));
    faults.clear();
    await harness.declare('behind', { ...small, kubevirtConfigRef: 'remote' });
    await harness.condition('behind', 'Ready', 'True');
    for (const [name, there] of [
      ['adrift-field', 'east'],
      ['adrift-word', 'west'],
      ['adrift-gone', undefined],
    ] as const)
      for (const cluster of harness.members.keys()) assert.equal(await has(cluster, name), cluster === there, cluster);
  });

  test('stay where something may have been made for them, though the answer of their cluster was lost', async () => {
    const { faults } = harness.member('north');
    // Writes succeed but their answers are lost; reads are answered.
    const path = `/apis/kubevirt.io/v1/namespaces/${team}/virtualmachines`;
    faults.add({ kind: 'truncate', path, verbs: ['create', 'update', 'patch'] });
    await harness.declare('unheard', { template: 'small', running: false, kubevirtConfigRef: 'north' });
    await harness.reaches('unheard', 'is placed', ({ status }) => status?.kubevirtConfigRef === 'north');
    await until('it was made', () => has('north', 'unheard'), patient);
    faults.add({ kind: 'silence' });
    await assert.rejects(harness.change('unheard', { spec: { kubevirtConfigRef: 'east' } }), /never moves/);
    await harness.change('unheard', { metadata: { annotations: { [chosen]: 'east' } } });
    await harness.condition('unheard', 'PlacementDiffers', 'True', 'AnnotationDiffers');
    faults.clear();
    await harness.condition('unheard', 'Ready', 'True');
    for (const other of ['east', 'west']) assert.equal(await has(other, 'unheard'), false, other);
  });

  test('of a cluster that hangs wait for it, and those of the others do not', async () => {
    const { faults } = harness.member('north');
    const on = (name: string, cluster: string): Promise<unknown> =>
      harness.declare(name, { template: 'small', running: false, kubevirtConfigRef: cluster });
    await on('stuck', 'north');
    await on('dropped', 'north');
    await Promise.all(['stuck', 'dropped'].map((name) => harness.condition(name, 'Ready', 'True')));
    faults.add({ kind: 'silence' });
    const names = Array.from({ length: 10 }, (_, i) => `free-${i}`);
    await on('late', 'north');
    await Promise.all(names.map((name, i) => on(name, i % 2 === 0 ? 'east' : 'west')));
    await Promise.all(names.map((name) => harness.condition(name, 'Ready', 'True')));
    await harness.condition('stuck', 'Ready', 'False', 'ClusterUnavailable');

    const pause = (paused: string | null): object => ({ metadata: { annotations: { 'vitistack.io/paused': paused } } });
    await harness.change('stuck', pause('true'));
    await harness.condition('stuck', 'Paused', 'True');
    for (const name of ['stuck', 'dropped'])
      await harness.supervisor.client.delete(machines, { namespace: team, name });
    await harness.change('stuck', pause(null));
    const { message } = await harness.condition('stuck', 'Deleting', 'True', 'ClusterUnavailable');
    assert.match(message, /north/);
    const { status } = await harness.machine('stuck');
    assert.deepEqual(
      status?.conditions?.map(({ type, reason }) => [type, reason]),
      [
        ['Ready', 'ClusterUnavailable'],
        ['Deleting', 'ClusterUnavailable'],
      ],
    );
    await harness.change('dropped', { metadata: { annotations: { 'vitistack.io/force-delete': 'true' } } });
    await harness.gone('dropped');
    assert.ok(await look(harness.supervisor.client, machines, { namespace: team, name: 'stuck' }));

    faults.clear();
    await harness.gone('stuck');
    await harness.condition('late', 'Ready', 'True');
    assert.equal(await has('north', 'stuck'), false);
    assert.equal(await has('north', 'dropped'), true, 'what was given up is there');
  });

  test('of a cluster that is no member any more say so, and can be given up', async () => {
    const { client } = harness.supervisor;
    await harness.declare('left', { template: 'small', running: false, kubevirtConfigRef: 'west' });
    await harness.condition('left', 'Ready', 'True');
    const { kubevirtConfigs } = await import('../../fleet/kubevirtconfig/kubevirt-config.ts');
    const { configsNamespace } = await import('../../../../../test/fleet/harness.ts');
    await client.delete(kubevirtConfigs, { namespace: configsNamespace, name: 'west' });
    const { message } = await harness.condition('left', 'Ready', 'False', 'ClusterUnavailable');
    assert.match(message, /KubevirtConfig "west" not found/);
    await client.delete(machines, { namespace: team, name: 'left' });
    const deleting = await harness.condition('left', 'Deleting', 'True', 'ClusterUnavailable');
    assert.match(
      deleting.message,
      /KubevirtConfig "west" not found.* annotate it with vitistack\.io\/force-delete="true"/,
    );
    await harness.change('left', { metadata: { annotations: { 'vitistack.io/force-delete': 'true' } } });
    await harness.gone('left');
    await until('it is still there', () => has('west', 'left'), patient);
  });
});
