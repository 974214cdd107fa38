/** Machines on several clusters: their placement, and what happens when one of the clusters does not answer. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { look, OperatorGround, patient, team } from '../../../../../test/machine-operator/ground.ts';
import { until } from '../../../../../test/runtime/until.ts';
import { findCondition } from '@ssvirt/kube/reconcile/conditions';
import { machines, virtualMachines } from './kinds.ts';

const chosen = 'vitistack.io/kubevirt-config';

describe('Machines on several clusters', () => {
  let ground: OperatorGround;
  const has = async (cluster: string, name: string): Promise<boolean> =>
    (await look(ground.member(cluster).client, virtualMachines, { namespace: team, name: `vm-${name}` })) !== undefined;

  before(async () => {
    ground = await OperatorGround.start({ clusters: ['east', 'west', 'north', 'remote'] });
    await ground.operate();
  });

  after(async () => {
    await ground.stop();
  });

  test('go where they say, by field or by annotation, and nowhere else', async () => {
    await ground.declare('by-field', { template: 'small', running: false, kubevirtConfigRef: 'west' });
    await ground.declare('by-word', { template: 'small', running: false }, { annotations: { [chosen]: 'north' } });
    await Promise.all(['by-field', 'by-word'].map((name) => ground.condition(name, 'Ready', 'True')));
    for (const [name, there] of [
      ['by-field', 'west'],
      ['by-word', 'north'],
    ] as const)
      for (const cluster of ground.members.keys()) assert.equal(await has(cluster, name), cluster === there, cluster);
    assert.equal((await ground.machine('by-field')).metadata.annotations?.[chosen], 'west');
  });

  test('are not placed by a guess, and say what to do', async () => {
    await ground.declare('anywhere', { template: 'small', running: false });
    await ground.declare('nowhere', { template: 'small', kubevirtConfigRef: 'south' });
    await ground.declare(
      'torn',
      { template: 'small', kubevirtConfigRef: 'east' },
      { annotations: { [chosen]: 'west' } },
    );
    const { message } = await ground.condition('anywhere', 'Ready', 'False', 'PlacementAmbiguous');
    assert.match(
      message,
      /^Machine has no KubevirtConfig reference and 4 configs are available - cannot determine placement/,
    );
    await ground.condition('nowhere', 'Ready', 'False', 'KubevirtConfigNotFound');
    await ground.phase('nowhere', 'Failed');
    await ground.condition('torn', 'Ready', 'False', 'PlacementConflict');
    await ground.change('anywhere', { metadata: { annotations: { [chosen]: 'east' } } });
    await ground.condition('anywhere', 'Ready', 'True');
  });

  test('are found again where they are when their status and annotation are lost', async () => {
    await ground.declare('restored', { template: 'small', running: false }, { annotations: { [chosen]: 'west' } });
    await ground.condition('restored', 'Ready', 'True');
    const { uid } = (await ground.vm('west', 'restored')).metadata;
    const paused = 'vitistack.io/paused';
    await ground.change('restored', { metadata: { annotations: { [chosen]: null, [paused]: 'true' } } });
    const key = { namespace: team, name: 'restored' };
    const body = { status: { kubevirtConfigRef: null } };
    await ground.supervisor.client.patch(machines, key, { type: 'merge', body }, { subresource: 'status' });
    await ground.change('restored', { metadata: { annotations: { [paused]: null } } });
    await ground.reaches('restored', 'is placed again', ({ metadata, status }) => {
      return status?.kubevirtConfigRef === 'west' && metadata.annotations?.[chosen] === 'west';
    });
    assert.equal((await ground.vm('west', 'restored')).metadata.uid, uid);
    for (const other of ['east', 'north']) assert.equal(await has(other, 'restored'), false, other);
  });

  test('stay where they are when somebody changes the annotation, which says so again', async () => {
    await ground.declare('settled', { template: 'small', running: false }, { annotations: { [chosen]: 'west' } });
    await ground.condition('settled', 'Ready', 'True');
    for (const said of ['east', null]) {
      await ground.change('settled', { metadata: { annotations: { [chosen]: said } } });
      await ground.reaches('settled', 'says it again', ({ metadata }) => metadata.annotations?.[chosen] === 'west');
    }
    await ground.told('settled', ['PlacementKept']);
    assert.equal((await ground.machine('settled')).status?.kubevirtConfigRef, 'west');
    for (const other of ['east', 'north']) assert.equal(await has(other, 'settled'), false, other);
  });

  test('do not share an address on one cluster', async () => {
    const networks = [{ name: 'default', macAddress: '52:54:00:00:00:01' }];
    await ground.declare('first', { template: 'small', running: false, networks, kubevirtConfigRef: 'east' });
    await ground.condition('first', 'Ready', 'True');
    await ground.declare('elsewhere', { template: 'small', running: false, networks, kubevirtConfigRef: 'west' });
    await ground.condition('elsewhere', 'Ready', 'True');
    await ground.declare('second', { template: 'small', running: false, networks, kubevirtConfigRef: 'east' });
    await ground.condition('second', 'Ready', 'False', 'MacAddressConflict');
    await ground.supervisor.client.delete(machines, { namespace: team, name: 'first' });
    await ground.condition('second', 'Ready', 'True');
  });

  test('go elsewhere when their cluster was never reached, by field and by annotation, and may be deleted', async () => {
    // No Machine was placed there before: a cluster that has just answered is not asked again.
    const { faults } = ground.member('remote');
    faults.add({ kind: 'silence' });
    const small = { template: 'small', running: false } as const;
    await ground.declare('adrift-field', { ...small, kubevirtConfigRef: 'remote' });
    await ground.declare('adrift-word', small, { annotations: { [chosen]: 'remote' } });
    await ground.declare('adrift-gone', { ...small, kubevirtConfigRef: 'remote' });
    const names = ['adrift-field', 'adrift-word', 'adrift-gone'];
    for (const name of names) {
      const { metadata, status } = await ground.reaches(name, 'is placed, or waits', (one) => {
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
    await ground.change('adrift-field', { spec: { kubevirtConfigRef: 'east' } });
    await ground.change('adrift-word', { metadata: { annotations: { [chosen]: 'west' } } });
    await ground.supervisor.client.delete(machines, { namespace: team, name: 'adrift-gone' });
    await ground.gone('adrift-gone');
    await Promise.all(['adrift-field', 'adrift-word'].map((name) => ground.condition(name, 'Ready', 'True')));
    faults.clear();
    await ground.declare('behind', { ...small, kubevirtConfigRef: 'remote' });
    await ground.condition('behind', 'Ready', 'True');
    for (const [name, there] of [
      ['adrift-field', 'east'],
      ['adrift-word', 'west'],
      ['adrift-gone', undefined],
    ] as const)
      for (const cluster of ground.members.keys()) assert.equal(await has(cluster, name), cluster === there, cluster);
  });

  test('stay where something may have been made for them, though the answer of their cluster was lost', async () => {
    const { faults } = ground.member('north');
    // Writes succeed but their answers are lost; reads are answered.
    const path = `/apis/kubevirt.io/v1/namespaces/${team}/virtualmachines`;
    faults.add({ kind: 'truncate', path, verbs: ['create', 'update', 'patch'] });
    await ground.declare('unheard', { template: 'small', running: false, kubevirtConfigRef: 'north' });
    await ground.reaches('unheard', 'is placed', ({ status }) => status?.kubevirtConfigRef === 'north');
    await until('it was made', () => has('north', 'unheard'), patient);
    faults.add({ kind: 'silence' });
    await assert.rejects(ground.change('unheard', { spec: { kubevirtConfigRef: 'east' } }), /never moves/);
    await ground.change('unheard', { metadata: { annotations: { [chosen]: 'east' } } });
    await ground.reaches('unheard', 'says it again', ({ metadata }) => metadata.annotations?.[chosen] === 'north');
    faults.clear();
    await ground.condition('unheard', 'Ready', 'True');
    for (const other of ['east', 'west']) assert.equal(await has(other, 'unheard'), false, other);
  });

  test('of a cluster that hangs wait for it, and those of the others do not', async () => {
    const { faults } = ground.member('north');
    const on = (name: string, cluster: string): Promise<unknown> =>
      ground.declare(name, { template: 'small', running: false, kubevirtConfigRef: cluster });
    await on('stuck', 'north');
    await on('dropped', 'north');
    await Promise.all(['stuck', 'dropped'].map((name) => ground.condition(name, 'Ready', 'True')));
    faults.add({ kind: 'silence' });
    const names = Array.from({ length: 10 }, (_, i) => `free-${i}`);
    await on('late', 'north');
    await Promise.all(names.map((name, i) => on(name, i % 2 === 0 ? 'east' : 'west')));
    await Promise.all(names.map((name) => ground.condition(name, 'Ready', 'True')));
    await ground.condition('stuck', 'Ready', 'False', 'ClusterUnavailable');

    for (const name of ['stuck', 'dropped']) await ground.supervisor.client.delete(machines, { namespace: team, name });
    const { message } = await ground.condition('stuck', 'Ready', 'False', 'ClusterUnavailable');
    assert.match(message, /north/);
    await ground.change('dropped', { metadata: { annotations: { 'vitistack.io/force-delete': 'true' } } });
    await ground.gone('dropped');
    assert.ok(await look(ground.supervisor.client, machines, { namespace: team, name: 'stuck' }));

    faults.clear();
    await ground.gone('stuck');
    await ground.condition('late', 'Ready', 'True');
    assert.equal(await has('north', 'stuck'), false);
    assert.equal(await has('north', 'dropped'), true, 'what was given up is there');
  });

  test('of a cluster that is no member any more say so, and can be given up', async () => {
    const { client } = ground.supervisor;
    await ground.declare('left', { template: 'small', running: false, kubevirtConfigRef: 'west' });
    await ground.condition('left', 'Ready', 'True');
    const { kubevirtConfigs } = await import('../../fleet/kubevirtconfig/kubevirt-config.ts');
    const { configsNamespace } = await import('../../../../../test/fleet/ground.ts');
    await client.delete(kubevirtConfigs, { namespace: configsNamespace, name: 'west' });
    const { message } = await ground.condition('left', 'Ready', 'False', 'ClusterUnavailable');
    assert.match(message, /KubevirtConfig "west" not found/);
    await client.delete(machines, { namespace: team, name: 'left' });
    await ground.change('left', { metadata: { annotations: { 'vitistack.io/force-delete': 'true' } } });
    await ground.gone('left');
    await until('it is still there', () => has('west', 'left'), patient);
  });
});
