/** Whether an object belongs to a selection, as far as the client can tell. */
import type { KubeObject } from '../object.ts';
import { fieldSelector, labelSelector } from '../selectors.ts';
import type { InformerOptions } from './informer.ts';

/** `Selects` returns undefined where only the server knows: a field selector on fields that not every kind supports. */
export type Selects = (object: KubeObject) => boolean | undefined;

export function selectsBy({ labelSelector: labels, fieldSelector: fields, namespaces }: InformerOptions): Selects {
  const byLabels = labelSelector(labels);
  const byFields = fieldsOrNone(fields);
  return ({ metadata }) => {
    if (namespaces !== undefined && !namespaces.includes(metadata.namespace ?? '')) return false;
    if (!byLabels(metadata.labels)) return false;
    return byFields?.(metadata);
  };
}

function fieldsOrNone(fields: string | undefined): ReturnType<typeof fieldSelector> | undefined {
  try {
    return fieldSelector(fields);
  } catch {
    return undefined;
  }
}
