/** The writers during the kills, and the objects that they write. */
import assert from 'node:assert/strict';
import type { JsonObject, KubeObject } from '../../packages/sandbox/src/values/json.ts';
import type { Dice } from '../conformance/dice.ts';
import type { HttpClient } from '../conformance/http.ts';
import { changing, Containers, finalized, type Writer } from './writers.ts';

export const GROUP = 'crash.example.com';
export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const DEFAULT = '/api/v1/namespaces/default';

export interface Population {
  readonly writers: readonly Writer[];
  readonly containers: readonly Containers[];
}

export function population(dice: Dice): Population {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const secret = (name: string, value: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name },
    data: { value: base64(value) },
  });
  const secretText = (object: KubeObject): string => Buffer.from(textAt(object, 'data', 'value'), 'base64').toString();
  return {
    writers: [
      changing(dice, `${DEFAULT}/configmaps`, configMap, (object) => textAt(object, 'data', 'value')),
      changing(dice, `${DEFAULT}/secrets`, secret, secretText),
      changing(dice, `/apis/${GROUP}/v1/namespaces/default/gadgets`, custom('Gadget'), (object) =>
        textAt(object, 'spec', 'value'),
      ),
      finalized(dice, `${DEFAULT}/configmaps`),
    ],
    containers: [
      new Containers(dice, '/api/v1/namespaces', (i) => `crash-${i}`, namespace, fillNamespace),
      new Containers(
        dice,
        DEFINITIONS,
        (i) => `kinds${i}.${GROUP}`,
        (name) => definition(pluralOf(name)),
        fillDefinition,
      ),
    ],
  };
}

const namespace = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
const configMap = (name: string, value: string): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: { value },
});
const custom =
  (kind: string) =>
  (name: string, value: string): JsonObject => ({
    apiVersion: `${GROUP}/v1`,
    kind,
    metadata: { name },
    spec: { value },
  });

const pluralOf = (name: string): string => name.split('.')[0] ?? '';
const kindOf = (plural: string): string => `${plural.charAt(0).toUpperCase()}${plural.slice(1).replace(/s$/, '')}`;

export function definition(plural: string): JsonObject {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { value: { type: 'string' } } } },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural, kind: kindOf(plural) },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

async function fillNamespace(client: HttpClient, name: string): Promise<void> {
  const path = `/api/v1/namespaces/${name}/configmaps`;
  for (const one of ['a', 'b', 'c']) await client.send({ method: 'POST', path, body: configMap(one, 'x') });
}

async function fillDefinition(client: HttpClient, name: string): Promise<void> {
  const path = `/apis/${GROUP}/v1/namespaces/default/${pluralOf(name)}`;
  await until(`${path} is served`, async () => (await client.send({ method: 'GET', path })).status === 200, 2_000);
  for (const one of ['a', 'b'])
    await client.send({ method: 'POST', path, body: custom(kindOf(pluralOf(name)))(one, 'x') });
}

export const textAt = (object: KubeObject, ...path: string[]): string =>
  String(path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], object));

export async function until(what: string, condition: () => boolean | Promise<boolean>, within = 60_000): Promise<void> {
  const deadline = Date.now() + within;
  while (!(await condition())) {
    assert.ok(Date.now() < deadline, `not in time: ${what}`);
    await new Promise((wake) => setTimeout(wake, 5));
  }
}
