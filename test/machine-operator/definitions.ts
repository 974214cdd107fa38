/** deploy/crds and deploy/samples, and their kinds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import type { KubeObject, Unstructured } from '../../packages/kube/src/object.ts';
import type { ResourceType } from '../../packages/kube/src/resource-type.ts';
import { group, version } from '../../packages/ssvirt/src/kubevirt/machine/resource.ts';

export const deploy = join(import.meta.dirname, '../../deploy');

export interface Declared extends KubeObject {
  readonly spec?: object;
  readonly status?: object;
}

export const machines: ResourceType<Declared> = {
  group,
  version,
  kind: 'Machine',
  plural: 'machines',
  namespaced: true,
};

export const networkConfigurations: ResourceType<Declared> = {
  group,
  version,
  kind: 'NetworkConfiguration',
  plural: 'networkconfigurations',
  namespaced: true,
};

export function definitionOf(plural: string): Unstructured {
  return parse(readFileSync(join(deploy, 'crds', `${plural}.${group}.yaml`), 'utf8')) as Unstructured;
}

export const plurals = ['machines', 'networkconfigurations', 'kubevirtconfigs'];

/** One list of objects for each file of deploy/samples. */
export function samples(): readonly { readonly file: string; readonly objects: readonly Unstructured[] }[] {
  const folder = join(deploy, 'samples');
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => ({
      file,
      objects: parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map(
        (document) => document.toJS() as Unstructured,
      ),
    }));
}
