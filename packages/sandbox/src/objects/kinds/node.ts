import type { FieldError } from '../../server/api/status.ts';
import { fieldError } from '../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../values/json.ts';
import { jsonEqual } from '../../values/json.ts';
import { copyField, ensureObject, isSet, listAt, objectAt, textAt, textMapAt, textsAt } from './values/fields.ts';
import { isIPv6, validCIDR } from './values/ip.ts';
import type { KindBehaviour } from './kind.ts';
import { taintErrors } from './pod/pod-scheduling.ts';
import { quantityErrors } from './values/quantities.ts';

/** `podCIDR` is the old field, `podCIDRs` the new one: `podCIDR` always equals the first item of the list. */
function alignRanges(spec: JsonObject): void {
  const single = textAt(spec, 'podCIDR');
  const [first] = textsAt(spec, 'podCIDRs');
  if (single !== '' && single !== first) spec['podCIDRs'] = [single];
  else if (single === '' && first !== undefined) spec['podCIDR'] = first;
}

function resourceErrors(node: KubeObject): FieldError[] {
  const status = objectAt(node, 'status');
  return ['capacity', 'allocatable'].flatMap((key) =>
    Object.entries(textMapAt(status, key)).flatMap(([name, value]) =>
      quantityErrors(name, value, `status.${key}.${name}`),
    ),
  );
}

function rangeErrors(spec: JsonObject | undefined): FieldError[] {
  const ranges = textsAt(spec, 'podCIDRs');
  const errors = ranges.flatMap((range, i) => validCIDR(range, `spec.podCIDRs[${i}]`));
  const families = new Set(ranges.map((range) => isIPv6(range.split('/')[0] ?? '')));
  if (ranges.length > 1 && (families.size < 2 || ranges.length > 2)) {
    const why = 'may specify no more than one CIDR for each IP family';
    errors.push(fieldError.invalid('spec.podCIDRs', ranges, why));
  }
  return errors;
}

function validate(node: KubeObject): FieldError[] {
  const spec = objectAt(node, 'spec');
  // Kubernetes reports taints under metadata.
  return [...taintErrors(listAt(spec, 'taints'), 'metadata.taints'), ...resourceErrors(node), ...rangeErrors(spec)];
}

function updateErrors(node: KubeObject, old: KubeObject): FieldError[] {
  const spec = objectAt(node, 'spec') ?? {};
  const before = objectAt(old, 'spec') ?? {};
  const errors = [...resourceErrors(node), ...addressErrors(node)];
  if (textsAt(before, 'podCIDRs').length > 0 && !jsonEqual(spec['podCIDRs'], before['podCIDRs'])) {
    errors.push(fieldError.forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  }
  if (textAt(before, 'providerID') !== '' && spec['providerID'] !== before['providerID']) {
    errors.push(
      fieldError.forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'),
    );
  }
  return [...errors, ...taintErrors(listAt(spec, 'taints'), 'metadata.taints')];
}

function addressErrors(node: KubeObject): FieldError[] {
  const addresses = listAt(objectAt(node, 'status'), 'addresses');
  return addresses.flatMap((address, i) => {
    const shown = { Type: textAt(address, 'type'), Address: textAt(address, 'address') };
    const isSecond = addresses.slice(0, i).some((other) => jsonEqual(other, address));
    return isSecond ? [fieldError.duplicate(`status.addresses[${i}]`, shown)] : [];
  });
}

export const node: KindBehaviour = {
  default(object) {
    alignRanges(ensureObject(object, 'spec'));
    const status = ensureObject(object, 'status');
    if (!isSet(status, 'allocatable') && isSet(status, 'capacity'))
      status['allocatable'] = { ...objectAt(status, 'capacity') };
  },
  // Unlike other kinds, a node can be created with its status.
  prepareForCreate(object) {
    delete ensureObject(object, 'spec')['configSource'];
    delete ensureObject(object, 'status')['config'];
  },
  prepareForUpdate(object, old) {
    copyField(object, old, 'status');
    delete ensureObject(object, 'spec')['configSource'];
  },
  prepareForStatusUpdate(object, old) {
    copyField(object, old, 'spec');
    delete ensureObject(object, 'status')['config'];
  },
  validate,
  validateUpdate: (object, old) => [...validate(object), ...updateErrors(object, old)],
  validateStatusUpdate: updateErrors,
  selectableFields: (object) => ({
    'spec.unschedulable': String(objectAt(object, 'spec')?.['unschedulable'] === true),
  }),
};
