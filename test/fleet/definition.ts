/** The definition of KubevirtConfig, installed as an operator would install it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Client } from '../../packages/kube/src/client/client.ts';
import { isNotFound } from '../../packages/kube/src/errors.ts';
import type { Unstructured } from '../../packages/kube/src/object.ts';
import { isConditionTrue, type Condition } from '../../packages/kube/src/reconcile/conditions.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
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

const patient = { deadlineMs: 60_000 } as const;

/** Resolves when all of them are served and report it: a kube-apiserver writes Established after it serves. */
export async function install(client: Client, ...all: readonly Unstructured[]): Promise<void> {
  for (const definition of all) await client.create(definitions, definition);
  for (const { spec } of all as unknown as readonly Definition[]) {
    const { plural } = spec.names;
    const served = async (): Promise<boolean> => {
      try {
        await client.request({ method: 'GET', path: `/apis/${spec.group}/${spec.versions[0]?.name}/${plural}` });
        return true;
      } catch (error) {
        if (isNotFound(error)) return false;
        throw error;
      }
    };
    await until(`${plural} are served`, served, patient);
    const established = async (): Promise<boolean> => {
      const { status } = (await client.get(definitions, { name: `${plural}.${spec.group}` })) as unknown as Definition;
      return isConditionTrue(status?.conditions ?? undefined, 'Established');
    };
    await until(`${plural} are established`, established, patient);
  }
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string }[];
  };
  /** Null for a moment, as in a kube-apiserver. */
  readonly status?: { readonly conditions?: readonly Condition[] | null };
}
