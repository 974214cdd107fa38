/** Checks data volume templates, as far as this needs no knowledge of the storage. */
import { jsonEqual, type JsonObject } from '../../../values/json.ts';
import { isSet, listAt, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';
import { invalid, required, type Cause } from './cause.ts';

export function dataVolumeTemplateCauses(field: string, vmSpec: JsonObject): Cause[] {
  const volumes = listAt(objectAt(objectAt(vmSpec, 'template'), 'spec'), 'volumes');
  const named = new Set(
    volumes.flatMap((volume) => [
      textAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName'),
      textAt(objectAt(volume, 'dataVolume'), 'name'),
    ]),
  );
  return listAt(vmSpec, 'dataVolumeTemplates').flatMap((template, index) => {
    const at = `${field}.dataVolumeTemplate[${index}]`;
    const name = textAt(objectAt(template, 'metadata'), 'name');
    const causes = templateCauses(at, name, objectAt(template, 'spec') ?? {});
    if (causes.length > 0 || named.has(name)) return causes;
    return [required(`DataVolumeTemplate entry ${at} must be referenced in the VMI template's 'volumes' list`, at)];
  });
}

/** Returns the first fault of a template. */
function templateCauses(at: string, name: string, spec: JsonObject): Cause[] {
  if (name === '')
    return [required(`'name' field must not be empty for DataVolumeTemplate entry ${at}.name.`, `${at}.name`)];
  const [pvc, storage] = [objectAt(spec, 'pvc'), objectAt(spec, 'storage')];
  const target = `${at}.PVC.Storage`;
  if (pvc === undefined && storage === undefined) return [invalid('Missing Data volume PVC or Storage', target)];
  if (pvc !== undefined && storage !== undefined)
    return [invalid('Duplicate storage definition, both target storage and target pvc defined', target)];
  const claim = pvc ?? storage;
  const outside = isSet(claim, 'dataSourceRef') || isSet(claim, 'dataSource');
  const inside = isSet(spec, 'source') || isSet(spec, 'sourceRef');
  if (outside && inside)
    return [invalid('External population is incompatible with Source and SourceRef', `${at}.source`)];
  if (!outside && !inside) {
    const text = 'Data volume should have either Source, SourceRef, or be externally populated';
    return [invalid(text, `${at}.source.sourceRef`)];
  }
  const source = objectAt(spec, 'source');
  const sources = Object.keys(source ?? {}).filter((kind) => isSet(source, kind)).length;
  if (source === undefined || sources === 1) return [];
  return [invalid(sources === 0 ? 'Missing dataVolume valid source' : 'Multiple dataVolume sources', `${at}.source`)];
}

/** Checked only if the templates are new or have changed. */
export function templateNamespaceCauses(
  vmSpec: JsonObject,
  oldSpec: JsonObject | undefined,
  namespace: string,
): Cause[] {
  if (oldSpec !== undefined && jsonEqual(oldSpec['dataVolumeTemplates'], vmSpec['dataVolumeTemplates'])) return [];
  return listAt(vmSpec, 'dataVolumeTemplates').flatMap((template, index) => {
    const own = textAt(objectAt(template, 'metadata'), 'namespace');
    if (own === '' || own === namespace) return [];
    const text = `Embedded DataVolume namespace ${own} differs from VM namespace ${namespace}`;
    return [invalid(text, `spec.dataVolumeTemplates[${index}]`)];
  });
}
