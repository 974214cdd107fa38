import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Admission, type AdmissionPlugin } from '../admission/admission.ts';
import { configMap, TestCluster, until } from '../admission/cluster.fixture.ts';
import { Deleter } from '../../server/api/write/delete.ts';
import { LocalClient } from './client.ts';
import { GarbageCollector } from './garbage-collector.ts';

test('an object whose owners are taken away while a webhook thinks about its deletion stays', async (t) => {
  const cluster = new TestCluster();
  await cluster.namespace('n');
  let asked = 0;
  let answer = (): void => {};
  const thinking: AdmissionPlugin = {
    name: 'thinking',
    validate: () => {
      asked++;
      return new Promise<void>((resolve) => (answer = resolve));
    },
  };
  const deleter = new Deleter(cluster.writer, () => new Admission([thinking]));
  const client = new LocalClient({ registry: cluster.registry, writer: cluster.writer, deleter });
  const failures: unknown[] = [];
  const collector = new GarbageCollector(cluster.store, client, (error) => failures.push(error));
  t.after(() => collector.stop());
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'gone' }];
  const orphan = configMap('n', 'adopted');
  await cluster.create({ ...orphan, metadata: { ...orphan.metadata, ownerReferences } });
  await cluster.create({ ...configMap('n', 'lost'), metadata: { namespace: 'n', name: 'lost', ownerReferences } });

  await until('the question about the first', () => asked === 1);
  await cluster.update(orphan, (live) => delete live.metadata.ownerReferences);
  answer();
  await until('the question about the second', () => asked === 2);
  answer();
  await until('the second to go', () => cluster.find(configMap('n', 'lost')) === undefined);
  assert.ok(cluster.find(orphan));
  assert.deepEqual(failures, []);
});
