/** deploy/crds/kubevirtconfigs.vitistack.io.yaml by itself, and on the sandbox. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubevirtConfigDefinition, install } from './definition.ts';
import { definitionCases } from './definition-cases.ts';
import { startMemberCluster, type MemberCluster } from './sandboxes.ts';

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function undescribed(schema: Schema, path: string): string[] {
  const own = schema.description === undefined ? [path] : [];
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    undescribed(field, `${path}.${name}`),
  );
  return [...own, ...fields, ...(schema.items === undefined ? [] : undescribed(schema.items, `${path}[]`))];
}

test('every field of a KubevirtConfig has a description for kubectl explain', () => {
  const { spec } = kubevirtConfigDefinition() as unknown as {
    spec: { versions: { schema: { openAPIV3Schema: Schema } }[] };
  };
  for (const { schema } of spec.versions) {
    // The server describes metadata itself.
    const fields = undescribed(schema.openAPIV3Schema, '').filter((path) => !path.startsWith('.metadata'));
    assert.deepEqual(fields, []);
  }
});

describe('KubevirtConfig on the sandbox', () => {
  let cluster: MemberCluster;
  before(async () => {
    cluster = await startMemberCluster('definition');
    await install(cluster.client, kubevirtConfigDefinition());
  });
  after(() => cluster.stop());
  for (const { name, run } of definitionCases) test(name, () => run(cluster.client));
});
