/** Installs CustomResourceDefinitions and waits until their resources are served. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Client } from '@ssvirt/kube/client/client';
import { KubeError } from '@ssvirt/kube/errors';
import type { KubeObject, Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { isObject, type Json } from '../values/json.ts';
import { systemWords } from '../cli/start-error.ts';
import { DefinitionsError } from './definitions-error.ts';
import { until } from './until.ts';

export interface Definition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

const definitionType: ResourceType<Definition> = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

const SERVED_WITHIN_MS = 60_000;
const EXTENSION = /\.(?:ya?ml|json)$/;

/**
 * Reads the definitions in the files of a folder and ignores other objects. Throws a DefinitionsError that names the
 * file.
 */
export function readDefinitions(folder: string): readonly Definition[] {
  const files = attempt(folder, () => readdirSync(folder)).filter((file) => EXTENSION.test(file));
  const found = files.toSorted().flatMap((file) => definitionsIn(join(folder, file)));
  if (found.length === 0)
    throw new DefinitionsError(`"${folder}" contains no CustomResourceDefinition: choose a folder with YAML files`);
  return found;
}

function definitionsIn(file: string): readonly Definition[] {
  const documents = parseAllDocuments(
    attempt(file, () => readFileSync(file, 'utf8')),
    { logLevel: 'error' },
  );
  return documents.flatMap((document) => {
    const [problem] = document.errors;
    if (problem !== undefined) throw new DefinitionsError(`cannot read "${file}": ${problem.message}`);
    const value = document.toJS() as Json;
    const items = isObject(value) && Array.isArray(value['items']) ? value['items'] : [value];
    return items.filter(
      (item) => isObject(item) && item['kind'] === 'CustomResourceDefinition',
    ) as unknown[] as Definition[];
  });
}

function attempt<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new DefinitionsError(`cannot read "${path}": ${systemWords(cause)}`, { cause });
  }
}

/** `replaced` replaces ours by those of `instead` with the same name. */
export function replaced(ours: readonly Definition[], instead: readonly Definition[]): readonly Definition[] {
  const names = new Set(instead.map(({ metadata }) => metadata.name));
  return [...ours.filter(({ metadata }) => !names.has(metadata.name)), ...instead];
}

export async function installDefinitions(
  client: Client,
  definitions: readonly Definition[],
  signal?: AbortSignal,
): Promise<void> {
  await Promise.all(definitions.map((definition) => installOne(client, definition, signal)));
}

async function installOne(client: Client, definition: Definition, signal: AbortSignal | undefined): Promise<void> {
  const { apiVersion: _version, kind: _kind, metadata, spec } = definition;
  const { name = '', labels, annotations } = metadata;
  const desired: Unstructured = {
    metadata: {
      name,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec,
  };
  let latest = await client.apply(definitionType, desired, { fieldManager: 'ssvirt-simulators', force: true });
  const isServed = async (): Promise<boolean> => {
    if (!isEstablished(latest)) latest = await client.get(definitionType, { name });
    return isEstablished(latest) && (await answers(client, definition));
  };
  await until(isServed, {
    withinMs: SERVED_WITHIN_MS,
    ...(signal === undefined ? {} : { signal }),
    failure: () => `cannot install the definition "${name}": ${problemOf(latest) ?? 'it is not served'}`,
  });
}

function isEstablished({ status }: Definition): boolean {
  return (
    status?.conditions?.some((condition) => condition.type === 'Established' && condition.status === 'True') === true
  );
}

function problemOf({ status }: Definition): string | undefined {
  return status?.conditions?.find((condition) => condition.status === 'False')?.message;
}

async function answers(client: Client, { spec }: Definition): Promise<boolean> {
  const version = spec.versions.find(({ served }) => served)?.name;
  if (version === undefined) return true;
  try {
    const path = `/apis/${spec.group}/${version}/${spec.names.plural}`;
    await client.request({ method: 'GET', path, query: { limit: '1' } });
    return true;
  } catch (error) {
    if (error instanceof KubeError && (error.kind === 'NotFound' || error.kind === 'ServiceUnavailable')) return false;
    throw error;
  }
}
