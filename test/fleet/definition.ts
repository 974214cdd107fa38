/** The definition of KubevirtConfig, installed as an operator would install it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Client } from '../../src/kube/client/client.ts';
import { isNotFound } from '../../src/kube/errors.ts';
import type { Unstructured } from '../../src/kube/object.ts';
import type { ResourceType } from '../../src/kube/resource-type.ts';
import { until } from '../runtime/until.ts';

export const definitions: ResourceType = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

export function kubevirtConfigDefinition(): Unstructured {
  const file = join(import.meta.dirname, '../../deploy/crds/kubevirtconfigs.vitistack.io.yaml');
  return parse(readFileSync(file, 'utf8')) as Unstructured;
}

/** A small definition: any fields, with a status. */
export function looseDefinition(group: string, version: string, kind: string, plural: string): Unstructured {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}

/** Resolves when all of them are served. */
export async function install(client: Client, ...all: readonly Unstructured[]): Promise<void> {
  for (const definition of all) await client.create(definitions, definition);
  for (const { spec } of all as unknown as readonly { spec: DefinitionSpec }[])
    await until(`${spec.names.plural} are served`, async () => {
      try {
        await client.request({
          method: 'GET',
          path: `/apis/${spec.group}/${spec.versions[0]?.name}/${spec.names.plural}`,
        });
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    });
}

interface DefinitionSpec {
  readonly group: string;
  readonly names: { readonly plural: string };
  readonly versions: readonly { readonly name: string }[];
}
