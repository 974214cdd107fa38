/** What a DataVolume is filled with. */
import type { Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import type { DataVolume } from '../kubevirt/objects.ts';

export interface CloneOrigin {
  readonly kind: 'clone';
  readonly of: 'pvc' | 'snapshot';
  readonly namespace: string;
  readonly name: string;
}

export type Origin =
  | { readonly kind: 'import'; readonly source: ImportSource; readonly endpoint: string }
  | { readonly kind: 'upload' }
  | CloneOrigin
  /** A third party fills it: the PVC names its data source itself. */
  | { readonly kind: 'external' }
  | { readonly kind: 'unknown'; readonly why: string };

export type ImportSource = 'http' | 's3' | 'gcs' | 'registry' | 'imageio' | 'vddk' | 'none';

const importSources = ['http', 's3', 'gcs', 'registry', 'imageio', 'vddk'] as const;

export type FindDataSource = (namespace: string, name: string) => Unstructured | undefined;

export function originOf({ metadata, spec }: DataVolume, find: FindDataSource): Origin {
  const { namespace = '' } = metadata;
  const reference = objectAt(spec, 'sourceRef');
  if (reference !== undefined)
    return throughDataSource(find, textAt(reference, 'namespace') || namespace, textAt(reference, 'name'));
  const source = objectAt(spec, 'source');
  if (source !== undefined) return directOrigin(source, namespace);
  const claim = objectAt(spec, 'storage') ?? objectAt(spec, 'pvc');
  if (objectAt(claim, 'dataSourceRef') !== undefined || objectAt(claim, 'dataSource') !== undefined)
    return { kind: 'external' };
  return { kind: 'unknown', why: 'no source' };
}

function directOrigin(source: JsonObject, namespace: string): Origin {
  const clone = cloneOrigin(source, namespace);
  if (clone !== undefined) return clone;
  if (objectAt(source, 'upload') !== undefined) return { kind: 'upload' };
  if (objectAt(source, 'blank') !== undefined) return { kind: 'import', source: 'none', endpoint: '' };
  for (const name of importSources) {
    const found = objectAt(source, name);
    if (found !== undefined) return { kind: 'import', source: name, endpoint: textAt(found, 'url') };
  }
  return { kind: 'unknown', why: 'no source' };
}

function cloneOrigin(source: JsonObject | undefined, namespace: string): CloneOrigin | undefined {
  for (const sort of ['pvc', 'snapshot'] as const) {
    const found = objectAt(source, sort);
    if (found !== undefined)
      return {
        kind: 'clone',
        of: sort,
        namespace: textAt(found, 'namespace') || namespace,
        name: textAt(found, 'name'),
      };
  }
  return undefined;
}

/** Resolves a DataSource. It may point at another one, which in turn may not. */
function throughDataSource(find: FindDataSource, namespace: string, name: string): Origin {
  const found = sourceOf(find(namespace, name));
  const next = objectAt(found, 'dataSource');
  const at = next === undefined ? namespace : textAt(next, 'namespace') || namespace;
  const source = next === undefined ? found : sourceOf(find(at, textAt(next, 'name')));
  return cloneOrigin(source, at) ?? { kind: 'unknown', why: `DataSource ${namespace}/${name} has no source` };
}

/** `spec.source` of a DataSource. */
export function sourceOf(dataSource: Unstructured | undefined): JsonObject | undefined {
  const spec = dataSource?.['spec'] as Json | undefined;
  return objectAt(isObject(spec) ? spec : undefined, 'source');
}
