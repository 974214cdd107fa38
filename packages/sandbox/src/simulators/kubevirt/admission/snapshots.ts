/** Webhooks of snapshots and restores. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { isObject, jsonEqual, type Json, type JsonObject } from '../../../values/json.ts';
import { isSet, listAt, objectAt, textAt, textsAt } from '../../../objects/kinds/values/fields.ts';
import type { AdmissionAnswer, ReviewRequest } from '../../serving/contracts.ts';
import { judged } from './answer.ts';
import { invalid, notFound, required, type Cause } from './cause.ts';
import type { AdmissionContext } from './context.ts';

const restores: ResourceType = {
  group: 'snapshot.kubevirt.io',
  version: 'v1beta1',
  kind: 'VirtualMachineRestore',
  plural: 'virtualmachinerestores',
  namespaced: true,
};

export function validateSnapshot(request: ReviewRequest): AdmissionAnswer {
  if (request.operation === 'UPDATE') return judged(immutableCauses(request));
  return judged(referenceCauses('spec.source', objectAt(objectAt(request.object ?? {}, 'spec'), 'source')));
}

export async function validateRestore({ cluster }: AdmissionContext, request: ReviewRequest): Promise<AdmissionAnswer> {
  if (request.operation === 'UPDATE') return judged(immutableCauses(request));
  const spec = objectAt(request.object ?? {}, 'spec') ?? {};
  const target = objectAt(spec, 'target');
  const reference = referenceCauses('spec.target', target);
  const content =
    reference.length > 0 ? reference : [...patchCauses(spec), ...overrideCauses(spec), ...policyCauses(spec)];
  const busy: Cause[] = [];
  for await (const { items } of cluster.client.pages(restores, { namespace: request.namespace ?? '' })) {
    for (const restore of items) {
      if (isUnderWay(restore, target))
        busy.push(
          invalid(`VirtualMachineRestore ${JSON.stringify(restore.metadata.name ?? '')} in progress`, 'spec.target'),
        );
    }
  }
  return judged([...content, ...busy]);
}

function isUnderWay(restore: Unstructured, target: JsonObject | undefined): boolean {
  const [spec, status] = [restore['spec'], restore['status']] as (Json | undefined)[];
  const same = jsonEqual(isObject(spec) ? spec['target'] : undefined, target);
  return same && !(isObject(status) && status['complete'] === true);
}

function immutableCauses({ object, oldObject }: ReviewRequest): Cause[] {
  return jsonEqual(object?.['spec'], oldObject?.['spec']) ? [] : [invalid('spec in immutable after creation', 'spec')];
}

function referenceCauses(at: string, reference: JsonObject | undefined): Cause[] {
  if (!isSet(reference, 'apiGroup')) return [notFound('missing apiGroup', `${at}.apiGroup`)];
  if (textAt(reference, 'apiGroup') !== 'kubevirt.io') return [invalid('invalid apiGroup', `${at}.apiGroup`)];
  return textAt(reference, 'kind') === 'VirtualMachine' ? [] : [invalid('invalid kind', `${at}.kind`)];
}

/** Patches are checked as text: pairs of a key and a value. */
function patchCauses(spec: JsonObject): Cause[] {
  return textsAt(spec, 'patches').flatMap((patch) => inBraces(patch).split(',').flatMap(pairCauses));
}

/** Removes the braces around a text, however many there are. */
function inBraces(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && '{}'.includes(text[start] ?? '')) start++;
  while (end > start && '{}'.includes(text[end - 1] ?? '')) end--;
  return text.slice(start, end);
}

function pairCauses(pair: string): Cause[] {
  const [key = '', value, ...more] = pair.split(':').map((part) => part.trim());
  if (value === undefined || more.length > 0) {
    const text = `patch format is not valid - one ":" expected in a single key-value json patch: ${pair}`;
    return [invalid(text, 'spec.patches')];
  }
  const fine = ['"/metadata/labels/', '"/metadata/annotations/', '"/spec/'].some((start) => value.startsWith(start));
  if (key !== '"path"' || fine) return [];
  return [invalid(`patching is valid only for elements under /spec/ only: ${pair}`, 'spec.patches')];
}

function overrideCauses(spec: JsonObject): Cause[] {
  return listAt(spec, 'volumeRestoreOverrides').flatMap((override, index) => {
    const at = `spec.volumeRestoreOverrides[${index}]`;
    const causes: Cause[] = [];
    if (textAt(override, 'volumeName') === '') causes.push(required('must provide a volume name', `${at}.volumeName`));
    const changes =
      textAt(override, 'restoreName') !== '' || isSet(override, 'annotations') || isSet(override, 'labels');
    if (!changes) causes.push(required('must provide at least one overriden field', at));
    return causes;
  });
}

function policyCauses(spec: JsonObject): Cause[] {
  const policy = textAt(spec, 'volumeRestorePolicy');
  if (policy === '' || ['InPlace', 'RandomizeNames', 'PrefixTargetName'].includes(policy)) return [];
  return [invalid(`volume restore policy "${policy}" doesn't exist`, 'spec.volumeRestorePolicy')];
}
