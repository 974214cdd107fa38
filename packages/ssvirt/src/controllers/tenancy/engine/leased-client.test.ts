/** An object in a cluster is changed only if it is the object that was read. */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import {
  installKubeVirt,
  startFleetHarness,
  virtualMachines,
  type FleetHarness,
} from '../../../../../../test/fleet/harness.ts';
import { until } from '../../../../../../test/runtime/until.ts';
import { openDatabase } from '../../../db/connection/database.ts';
import { systemClock } from '@ssvirt/kube/clock';
import { isConflict } from '@ssvirt/kube/errors';
import { LeasedClient } from './leased-client.ts';
import { vdcTypes } from '../vdcs/vdc-types.ts';
import { Lease } from './lease.ts';
import { VdcClient } from '../vdcs/vdc-client.ts';

suite('the hand in a cluster', () => {
  let harness: FleetHarness;
  let vdcClient: VdcClient;
  // The lease has enough time left for everything, so the database is never used.
  const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
  before(async () => {
    harness = await startFleetHarness();
    await installKubeVirt(harness.supervisor);
    const claim = { kind: 'vdc', entityId: '', cluster: 'local', attempt: 1, requestNumber: 1, failures: 0 } as const;
    const lease = new Lease(claim, {
      db: database.db,
      clock: systemClock,
      leaseMs: 3_600_000,
      takenAt: systemClock.now(),
    });
    const { signal } = new AbortController();
    vdcClient = new VdcClient(new LeasedClient({ cluster: harness.local, lease, signal, requestMs: 5_000 }));
  });
  after(async () => {
    await harness?.stop();
    await database.close();
  });

  const namespace = (name: string) => ({ metadata: { name, labels: {} } });

  /** Deletes the object and creates another one of the same name. */
  async function replaced(name: string): Promise<void> {
    const { client } = harness.supervisor;
    await client.delete(vdcTypes.Namespace, { name });
    await until('it is gone', async () => (await vdcClient.get('Namespace', { name })) === undefined);
    await client.create(vdcTypes.Namespace, namespace(name));
  }

  test('makes no namespace where there is one, whosesoever', async () => {
    await vdcClient.createNamespace(namespace('taken'));
    await assert.rejects(vdcClient.createNamespace(namespace('taken')), /already exists/);
  });

  test('deletes no namespace that has come in the place of the one that was seen', async () => {
    const seen = await vdcClient.createNamespace(namespace('deleted'));
    await replaced('deleted');
    await assert.rejects(vdcClient.deleteNamespace(seen), isConflict);
    assert.equal((await vdcClient.get('Namespace', { name: 'deleted' }))?.isEnding, false);
  });

  test('deletes no machine that has come in the place of the one that was seen', async () => {
    const { client } = harness.supervisor;
    await vdcClient.createNamespace(namespace('machines'));
    const machine = { metadata: { namespace: 'machines', name: 'web' } };
    const seen = await client.create(virtualMachines, machine);
    await client.delete(virtualMachines, machine.metadata);
    await until('it is gone', async () => (await vdcClient.machines('machines')).length === 0);
    await client.create(virtualMachines, machine);
    await assert.rejects(vdcClient.deleteMachine(seen), isConflict);
    assert.equal((await vdcClient.machines('machines')).length, 1);
  });

  test('sees all machines of a namespace, also where they are more than a page', async () => {
    await vdcClient.createNamespace(namespace('crowded'));
    const names = Array.from({ length: 101 }, (_, at) => `m${at}`);
    await Promise.all(
      names.map((name) =>
        harness.supervisor.client.create(virtualMachines, { metadata: { namespace: 'crowded', name } }),
      ),
    );
    const found = (await vdcClient.machines('crowded')).map(({ metadata }) => metadata.name);
    assert.deepEqual(new Set(found), new Set(names));
  });

  test('overwrites nothing that has changed since it was seen, and creates nothing again that is gone', async () => {
    const seen = await vdcClient.createNamespace(namespace('changed'));
    const now = await vdcClient.apply('Namespace', { metadata: { name: 'changed', labels: { by: 'another' } } }, seen);
    await assert.rejects(vdcClient.apply('Namespace', namespace('changed'), seen), isConflict);
    assert.deepEqual((await vdcClient.get('Namespace', { name: 'changed' }))?.metadata.labels?.['by'], 'another');
    await replaced('changed');
    await assert.rejects(vdcClient.apply('Namespace', namespace('changed'), now), isConflict);
  });
});
