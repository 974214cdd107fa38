/** Every sample, without kubectl: seeds.suite.ts does the same as users would, on several clusters. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { machines } from '../../packages/ssvirt/src/controllers/machine/machine-types.ts';
import type { Client } from '../../packages/kube/src/client/client.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import { findCondition } from '../../packages/kube/src/reconcile/conditions.ts';
import { until } from '../runtime/until.ts';
import { OperatorHarness, patient } from './harness.ts';
import { checkSample, statusOf } from './sample-checks.ts';
import { documentsOf, filesOf, prerequisites, samples, samplesFolder } from './samples.ts';

describe('the examples of deploy/samples', () => {
  let harness: OperatorHarness;
  let client: Client;
  const here = samples.filter(({ cluster }) => cluster === undefined);
  before(async () => {
    harness = await OperatorHarness.start();
    ({ client } = harness.supervisor);
    await harness.operate();
    await apply(prerequisites);
  });
  after(() => harness?.stop());

  const apply = async (objects: readonly Unstructured[]): Promise<void> => {
    for (const object of objects) {
      const type = await client.typeOf(object.apiVersion ?? '', object.kind ?? '');
      await client.apply(type, object, { force: true, fieldManager: 'samples-test', fieldValidation: 'Strict' });
    }
  };

  test('are running machines with the processors, memory, disks, interfaces and user data that they ask for', async () => {
    for (const file of filesOf((sample) => here.includes(sample))) await apply(documentsOf(file));
    for (const sample of here) {
      await until(
        `${sample.machine} is ready`,
        async () => {
          const found = await client.get(machines, { namespace: 'default', name: sample.machine });
          if (findCondition(found.status?.conditions, 'Ready')?.status === 'True') return true;
          throw new Error(statusOf(found));
        },
        patient,
      );
      await checkSample(client, sample);
    }
  });

  test('are all of them tried', () => {
    const tried = new Set(samples.map(({ machine }) => machine));
    const declared = readdirSync(samplesFolder)
      .filter((file) => file.endsWith('.yaml'))
      .flatMap(documentsOf)
      .filter(({ kind }) => kind === 'Machine')
      .map(({ metadata }) => metadata.name ?? '');
    // It needs an existing virtual machine: seeds.suite.ts has one.
    assert.deepEqual(
      declared.filter((name) => !tried.has(name)),
      ['adopted-vm'],
    );
  });
});
