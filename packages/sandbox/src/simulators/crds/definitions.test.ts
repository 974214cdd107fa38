/** Our definitions are accepted by an API server, and agree with the real ones in every field that they describe. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { upstreamCrdsFolder } from '../../../../../test/kubevirt/transcripts.ts';
import { notRun } from '../../../../../test/not-run.ts';
import { defaultDefinition, prepareForCreate } from '../../objects/crd/lifecycle.ts';
import type { CustomResourceDefinition as Checked } from '../../objects/crd/types.ts';
import { definitionWarnings, validateDefinition } from '../../objects/crd/validate.ts';
import type { Schema } from '../../objects/schema/schema.ts';
import type { InstalledDefinition } from './definition.ts';
import { simulatedDefinitions } from './definitions.ts';

const nameOf = ({ metadata }: InstalledDefinition): string => metadata.name ?? '';

describe('the definitions that the simulators bring', () => {
  for (const definition of simulatedDefinitions) {
    test(`${nameOf(definition)} is valid`, () => {
      const crd = structuredClone(definition) as unknown as Checked;
      defaultDefinition(crd);
      prepareForCreate(crd);
      assert.deepEqual(validateDefinition(crd), []);
      assert.deepEqual(definitionWarnings(crd, undefined), []);
    });
    test(`${nameOf(definition)} explains every field that people write`, () => {
      const schema = definition.spec.versions[0]?.schema.openAPIV3Schema ?? {};
      assert.deepEqual(undescribed(schema, ''), []);
    });
  }
});

function undescribed(schema: Schema, path: string): string[] {
  const own = schema.description === undefined && path !== '.metadata' ? [path] : [];
  const below = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    undescribed(property, `${path}.${name}`),
  );
  const items = schema.items?.properties === undefined ? [] : undescribed(schema.items, `${path}[]`);
  return [...own, ...below, ...items];
}

/** The keywords that decide how a value is treated. Descriptions are our own and are not compared. */
const KEYS = [
  'type',
  'format',
  'nullable',
  'default',
  'enum',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'maxItems',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-int-or-string',
  'x-kubernetes-validations',
] as const;

interface Difference {
  readonly path: string;
  readonly ours: unknown;
  readonly real: unknown;
}

function differences(ours: Schema, real: Schema, path: string): Difference[] {
  const found: Difference[] = KEYS.filter((key) => !isDeepStrictEqual(ours[key], real[key])).map((key) => ({
    path: `${path} ${key}`,
    ours: ours[key],
    real: real[key],
  }));
  const required = [ours, real].map((schema) => (schema.required ?? []).toSorted().join(' '));
  if (required[0] !== required[1]) found.push({ path: `${path} required`, ours: required[0], real: required[1] });
  const isOpen = ours['x-kubernetes-preserve-unknown-fields'] === true;
  for (const [name, property] of Object.entries(ours.properties ?? {})) {
    const counterpart = real.properties?.[name];
    if (counterpart !== undefined) found.push(...differences(property, counterpart, `${path}.${name}`));
    else if (real['x-kubernetes-preserve-unknown-fields'] !== true)
      found.push({ path: `${path}.${name}`, ours: 'there', real: 'not there' });
  }
  for (const name of Object.keys(real.properties ?? {})) {
    if (!isOpen && ours.properties?.[name] === undefined)
      found.push({ path: `${path}.${name}`, ours: 'dropped', real: 'there' });
  }
  if (ours.items !== undefined && real.items !== undefined)
    found.push(...differences(ours.items, real.items, `${path}[]`));
  const [ourValues, realValues] = [ours.additionalProperties, real.additionalProperties];
  if (typeof ourValues === 'object' && typeof realValues === 'object')
    found.push(...differences(ourValues, realValues, `${path}{}`));
  else if (!isDeepStrictEqual(ourValues, realValues))
    found.push({ path: `${path}{}`, ours: ourValues, real: realValues });
  return found;
}

const file = (definition: InstalledDefinition): string => join(upstreamCrdsFolder, `${nameOf(definition)}.yaml`);
const skip = existsSync(upstreamCrdsFolder)
  ? false
  : notRun(
      'packages/sandbox/src/simulators/crds/definitions.test.ts',
      `needs the real definitions in ${upstreamCrdsFolder}`,
    );

describe('beside the real definitions', { skip }, () => {
  for (const definition of simulatedDefinitions.filter((one) => existsSync(file(one)))) {
    const real = (): InstalledDefinition => parse(readFileSync(file(definition), 'utf8')) as InstalledDefinition;
    test(`${nameOf(definition)} has the same names, scope and labels`, () => {
      const outline = ({ metadata, spec }: InstalledDefinition): unknown => ({
        labels: metadata.labels ?? {},
        scope: spec.scope,
        names: Object.assign({ listKind: `${spec.names.kind}List` }, spec.names),
      });
      assert.deepEqual(outline(definition), outline(real()));
    });
    for (const version of definition.spec.versions) {
      test(`${nameOf(definition)} ${version.name} has the same columns, subresources and rules`, () => {
        const counterpart = real().spec.versions.find(({ name }) => name === version.name);
        assert.ok(counterpart !== undefined);
        assert.deepEqual(version.additionalPrinterColumns, counterpart.additionalPrinterColumns);
        assert.equal(version.storage, counterpart.storage);
        assert.equal(version.deprecated, counterpart.deprecated);
        assert.equal(version.deprecationWarning, counterpart.deprecationWarning);
        assert.equal(version.subresources?.status === undefined, counterpart.subresources?.status === undefined);
        const schemas = [version, counterpart].map(({ schema }) => schema.openAPIV3Schema);
        assert.deepEqual(differences(schemas[0] ?? {}, schemas[1] ?? {}, ''), []);
      });
    }
  }
});
