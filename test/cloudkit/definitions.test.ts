/** The definitions of orders by themselves, and on the sandbox. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { install } from '../fleet/definition.ts';
import { startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { describeDefinitions } from './definition-tests.ts';
import { allFields, definitionOf, plurals, samples, type Schema } from './definitions.ts';

function fieldsThat(wrong: (field: Schema) => boolean): readonly string[] {
  return allFields().flatMap(([path, field]) => (wrong(field) ? [path] : []));
}

describe('the definitions', () => {
  test('every field has a description for kubectl explain', () => {
    assert.deepEqual(
      fieldsThat(({ description = '' }) => description.length < 5),
      [],
    );
  });
  test('every text and list has an end', () => {
    const endless = ({ type, maxLength, maxItems, enum: values, format }: Schema): boolean =>
      (type === 'string' && maxLength === undefined && values === undefined && format !== 'date-time') ||
      (type === 'array' && maxItems === undefined);
    // The fields of the object itself, which the server maintains.
    const own = plurals.flatMap((plural) => [`${plural}.apiVersion`, `${plural}.kind`]);
    assert.deepEqual(fieldsThat(endless).toSorted(), own.toSorted());
  });
  test('every rule says what to do in a message of its own', () => {
    const silent = (field: Schema): boolean =>
      (field['x-kubernetes-validations'] ?? []).some(({ message = '' }) => !message.includes(': '));
    assert.deepEqual(fieldsThat(silent), []);
  });
  test('no short name belongs to KubeVirt, whose kind has the same name', () => {
    assert.deepEqual(
      plurals.flatMap((plural) => definitionOf(plural).spec.names.shortNames ?? []),
      ['vmorder'],
    );
  });
});

describe('on the sandbox', () => {
  let cluster: MemberCluster;
  before(async () => {
    cluster = await startMemberCluster('definitions');
    await install(cluster.client, ...plurals.map(definitionOf));
  });
  after(() => cluster.stop());
  describeDefinitions(() => cluster.client);
  for (const { file, objects } of samples())
    test(`${file} is accepted, every field known`, async () => {
      for (const object of objects) {
        const type = await cluster.client.typeOf(object.apiVersion ?? '', object.kind ?? '');
        const made = await cluster.client.create(type, object, { fieldValidation: 'Strict' });
        assert.equal(made.metadata.name, object.metadata.name);
      }
    });
});
