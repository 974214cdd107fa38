/** Whether an object belongs to a selection, as far as we can tell ourselves. */
import type { KubeObject } from '../object.ts';
import { fieldSelector, labelSelector } from '../selectors.ts';
import type { InformerOptions } from './informer.ts';

/** Undefined where only the server knows: a selector on fields that are not the same for all kinds. */
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
