/** metadata.generation: incremented when the desired state changes. */
import type { KubeObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';

export function raiseGeneration(object: KubeObject, old: KubeObject): void {
  object.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

export function keepGeneration(object: KubeObject, old: KubeObject): void {
  if (old.metadata.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = old.metadata.generation;
}

export function generationOnSpecChange(object: KubeObject, old: KubeObject): void {
  if (jsonEqual(object['spec'], old['spec'])) keepGeneration(object, old);
  else raiseGeneration(object, old);
}
