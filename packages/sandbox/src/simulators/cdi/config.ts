/** CDI's effective configuration: the requested values and the defaults. */
import type { Unstructured } from '@ssvirt/kube/object';
import { isObject, type Json, type JsonObject } from '../../values/json.ts';
import { objectAt, textAt } from '../../objects/kinds/values/fields.ts';
import { DEFAULT_OVERHEAD } from './claims/claim-size.ts';
import { chooseClass } from './storage-profile.ts';

const specOf = (object: Unstructured | undefined): JsonObject | undefined => {
  const spec = object?.['spec'] as Json | undefined;
  return isObject(spec) ? spec : undefined;
};

export function configStatus(
  classes: readonly Unstructured[],
  config: Unstructured,
  installation: Unstructured | undefined,
): JsonObject {
  const asked: JsonObject = { ...specOf(config), ...objectAt(specOf(installation), 'config') };
  const overhead = objectAt(asked, 'filesystemOverhead');
  const share = textAt(overhead, 'global') || DEFAULT_OVERHEAD;
  const names = classes.map(({ metadata }) => metadata.name ?? '').toSorted();
  const scratch =
    textAt(asked, 'scratchSpaceStorageClass') ||
    (chooseClass(classes, { name: '', forMachines: false })?.metadata.name ?? '');
  return {
    defaultPodResourceRequirements: {
      limits: { cpu: '750m', memory: '600M' },
      requests: { cpu: '100m', memory: '60M' },
    },
    filesystemOverhead: {
      global: share,
      storageClass: Object.fromEntries(
        names.map((name) => [name, textAt(objectAt(overhead, 'storageClass'), name) || share]),
      ),
    },
    preallocation: asked['preallocation'] === true,
    ...(scratch === '' ? {} : { scratchSpaceStorageClass: scratch }),
  };
}
