/** deploy/crds and deploy/samples by themselves, and on the sandbox. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { group, version } from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';
import { install } from '../fleet/definition.ts';
import { startMemberCluster, type MemberCluster } from '../fleet/sandboxes.ts';
import { describeDefinitions } from './definition-tests.ts';
import { definitionOf, plurals, samples } from './definitions.ts';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly 'x-kubernetes-validations'?: readonly { readonly message?: string }[];
}

interface Definition {
  readonly spec: {
    readonly names: { readonly shortNames: readonly string[] };
    readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

const definitionsByName = plurals.map((plural) => [plural, definitionOf(plural) as unknown as Definition] as const);

/** Every field except those that the server describes itself. */
function fieldsOf(schema: Schema, path: string): readonly (readonly [string, Schema])[] {
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    path === '' && name === 'metadata' ? [] : fieldsOf(field, `${path}.${name}`),
  );
  return [[path, schema], ...below, ...(schema.items === undefined ? [] : fieldsOf(schema.items, `${path}[]`))];
}

function fieldsThat(wrong: (field: Schema, path: string) => boolean): readonly string[] {
  return definitionsByName.flatMap(([plural, { spec }]) =>
    spec.versions.flatMap(({ schema }) =>
      fieldsOf(schema.openAPIV3Schema, '').flatMap(([path, field]) => (wrong(field, path) ? [plural + path] : [])),
    ),
  );
}

describe('the definitions', () => {
  test('every field has a description for kubectl explain', () => {
    assert.deepEqual(
      fieldsThat(({ description = '' }) => description.length < 5),
      [],
    );
  });
  test('every text, list and number of a Machine and of a NetworkConfiguration has an end', () => {
    const endless = ({ type, maxLength, maxItems, enum: values, format }: Schema): boolean =>
      (type === 'string' && maxLength === undefined && values === undefined && format !== 'date-time') ||
      (type === 'array' && maxItems === undefined);
    const found = fieldsThat(endless).filter((path) => !/\.(apiVersion|kind)$|^kubevirtconfigs/.test(path));
    assert.deepEqual(found, []);
  });
  test('every rule says what to do in a message of its own', () => {
    const silent = (field: Schema): boolean =>
      (field['x-kubernetes-validations'] ?? []).some(({ message = '' }) => !/[:,] |give /.test(message));
    assert.deepEqual(fieldsThat(silent), []);
  });
  test('no short name is there twice, or belongs to another product that machines live beside', () => {
    const names = definitionsByName.flatMap(([, { spec }]) => spec.names.shortNames);
    assert.deepEqual(names, [...new Set(names)]);
    const taken = ['m', 'ma', 'mc', 'vm', 'vms', 'vmi', 'vmis', 'nc', 'nad', 'net-attach-def', 'dv', 'kv', 'cm', 'no'];
    assert.deepEqual(
      names.filter((name) => taken.includes(name)),
      [],
    );
  });
});

const core = { group: '', version: 'v1' };
const sampled: readonly ResourceType[] = [
  { ...core, kind: 'Namespace', plural: 'namespaces', namespaced: false },
  { ...core, kind: 'Secret', plural: 'secrets', namespaced: true },
  { group, version, kind: 'KubevirtConfig', plural: 'kubevirtconfigs', namespaced: true },
  { group, version, kind: 'NetworkConfiguration', plural: 'networkconfigurations', namespaced: true },
  { group, version, kind: 'Machine', plural: 'machines', namespaced: true },
];

describe('the samples', () => {
  let cluster: MemberCluster;
  before(async () => {
    cluster = await startMemberCluster('samples');
    await install(cluster.client, ...plurals.map(definitionOf));
  });
  after(() => cluster.stop());
  for (const { file, objects } of samples())
    test(`${file} is accepted, every field known`, async () => {
      for (const object of objects) {
        const type = sampled.find(({ kind }) => kind === object.kind);
        assert.ok(type !== undefined, `no test knows the kind ${object.kind}`);
        const made = await cluster.client.create(type, object);
        assert.equal(made.metadata.name, object.metadata.name);
      }
    });
});

describe('Machine and NetworkConfiguration on the sandbox', () => {
  let cluster: MemberCluster;
  before(async () => {
    cluster = await startMemberCluster('definitions');
    await install(cluster.client, ...plurals.map(definitionOf));
  });
  after(() => cluster.stop());
  describeDefinitions(() => cluster.client);
});
