/**
 * Whether the supervisor has what the machine operator needs: the CRDs of its kinds, with the fields that it reads and
 * writes, and at least one cluster. Findings are reported but stop nothing: a CRD may be fixed, and a cluster may be
 * added, while the process runs.
 */
import type { Client, RequestOptions } from '@ssvirt/kube/client/client';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { version } from '../../kubevirt/machine/resource.ts';

export interface Check {
  /** What was checked: `machines.vitistack.io`, `KubevirtConfigs`. */
  readonly subject: string;
  readonly ok: boolean;
  /** What is right, or what is wrong and what to do about it. */
  readonly message: string;
  /** The fields that a CRD lacks. */
  readonly missingFields?: readonly string[];
}

/** Fields that spec or status must have, by the name of the CRD. */
export const expectedFields = {
  'machines.vitistack.io': ['instanceType', 'kubevirtConfigRef', 'phase', 'conditions'],
  'networkconfigurations.vitistack.io': ['networks', 'phase'],
  'kubevirtconfigs.vitistack.io': ['kubeconfigSecretRef', 'phase'],
} as const satisfies Record<string, readonly string[]>;

interface Definition extends KubeObject {
  readonly spec?: { readonly versions?: readonly DefinedVersion[] };
}

interface DefinedVersion {
  readonly name?: string;
  readonly served?: boolean;
  readonly schema?: { readonly openAPIV3Schema?: Schema };
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema | undefined>>;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

const definitions: ResourceType<Definition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** One check per CRD. Rejects only if the signal is aborted. */
export async function checkDefinitions(client: Client, options: RequestOptions): Promise<readonly Check[]> {
  const checks = await Promise.all(
    Object.entries(expectedFields).map(([name, fields]) => checkDefinition(client, name, fields, options)),
  );
  options.signal?.throwIfAborted();
  return checks;
}

/** Machines can be placed if there is a KubevirtConfig, or if the supervisor serves KubeVirt itself. */
export function checkConfigs(configs: number, localServes: boolean, namespace: string): Check {
  const subject = 'KubevirtConfigs';
  if (configs > 0) return { subject, ok: true, message: `${configs} in namespace "${namespace}"` };
  if (localServes) return { subject, ok: true, message: 'none, and the supervisor serves KubeVirt itself' };
  const message = `there is none in namespace "${namespace}", and the supervisor serves no KubeVirt: create at least one, or Machines cannot be placed`;
  return { subject, ok: false, message };
}

async function checkDefinition(
  client: Client,
  name: string,
  fields: readonly string[],
  options: RequestOptions,
): Promise<Check> {
  try {
    return judgeDefinition(await client.get(definitions, { name }, options), name, fields);
  } catch (error) {
    return { subject: name, ok: false, message: whyNot(name, error) };
  }
}

export function judgeDefinition({ spec }: Definition, name: string, fields: readonly string[]): Check {
  const defined = spec?.versions?.find((one) => one.name === version);
  if (defined?.served !== true) {
    const others = (spec?.versions ?? []).flatMap((one) => (one.served === true ? [one.name ?? ''] : []));
    const instead = others.length === 0 ? 'nothing' : others.join(', ');
    return {
      subject: name,
      ok: false,
      message: `version ${version} is not served, but ${instead}: apply ${fileOf(name)}`,
    };
  }
  const missingFields = fields.filter((field) => !hasField(defined.schema?.openAPIV3Schema, field));
  if (missingFields.length === 0)
    return { subject: name, ok: true, message: `version ${version} has ${fields.join(', ')}` };
  const message = `version ${version} lacks the fields ${missingFields.join(', ')}, so they would be lost: apply ${fileOf(name)}`;
  return { subject: name, ok: false, message, missingFields };
}

const fileOf = (name: string): string => `deploy/crds/${name}.yaml`;

function hasField(schema: Schema | undefined, field: string): boolean {
  const parts = [schema?.properties?.['spec'], schema?.properties?.['status']];
  return parts.some((part) => part?.properties?.[field] !== undefined || keepsAll(part)) || keepsAll(schema);
}

const keepsAll = (schema: Schema | undefined): boolean => schema?.['x-kubernetes-preserve-unknown-fields'] === true;

function whyNot(name: string, error: unknown): string {
  if (isNotFound(error)) return `the definition is not installed: apply ${fileOf(name)}`;
  const why = error instanceof Error ? error.message : String(error);
  return isKind(error, 'Forbidden')
    ? `the definition cannot be read: grant get on customresourcedefinitions "${name}" (${why})`
    : `the definition cannot be read: ${why}`;
}
