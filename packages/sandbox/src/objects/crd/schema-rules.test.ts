/** Rules in definitions, with the recorded answers of kube-apiserver 1.36.3. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { FieldError } from '../../server/api/status.ts';
import { defaultDefinition, prepareForCreate } from './lifecycle.ts';
import type { CustomResourceDefinition, SchemaProps } from './types.ts';
import { validateDefinition, validateDefinitionUpdate } from './validate.ts';

interface Row {
  readonly case: string;
  readonly crd: CustomResourceDefinition;
  readonly causes?: readonly (readonly [reason: string, field: string, message: string])[];
}

const rows = JSON.parse(readFileSync(new URL('golden/rules.json', import.meta.url), 'utf8')) as Row[];
const texts = (errors: readonly FieldError[]): string[] =>
  errors.map(({ type, field, detail }) => `${type} | ${field} | ${detail}`);

function prepared(crd: CustomResourceDefinition): CustomResourceDefinition {
  const copy = structuredClone(crd);
  copy.metadata.resourceVersion = '1';
  defaultDefinition(copy);
  prepareForCreate(copy);
  return copy;
}

for (const { case: name, crd, causes = [] } of rows) {
  test(`${name}: ${causes.length === 0 ? 'accepted' : 'refused'} as by kube-apiserver`, () => {
    assert.deepEqual(
      texts(validateDefinition(prepared(crd))),
      causes.map((cause) => cause.join(' | ')),
    );
  });
}

test('a rule of an unchanged schema may cost more than is allowed today, but all together may not', () => {
  const expensive = (name: string): CustomResourceDefinition => {
    const row = rows.find((each) => each.case === name);
    assert.ok(row !== undefined, name);
    return prepared(row.crd);
  };
  const one = expensive('cost slightly too high');
  assert.deepEqual(validateDefinitionUpdate(one, one), []);
  const changed = structuredClone(one);
  const schema = changed.spec.versions[0]?.schema?.openAPIV3Schema as SchemaProps;
  schema.description = 'changed';
  assert.equal(validateDefinitionUpdate(changed, one).length, 1);
  const many = expensive('cost of one rule');
  assert.deepEqual(
    validateDefinitionUpdate(many, many).map(({ field }) => field),
    [
      'spec.validation.openAPIV3Schema.properties[spec].properties[l].x-kubernetes-validations[0].rule',
      'spec.validation.openAPIV3Schema',
    ],
  );
});
