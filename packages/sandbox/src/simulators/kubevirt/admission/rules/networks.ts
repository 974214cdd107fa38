/** Networks, and whether they match the interfaces. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { duplicate, invalid, required, type Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { devicesOf } from './amounts.ts';
import { bindingCauses } from './bindings.ts';
import { interfaceCauses, stateCauses } from './interfaces.ts';

const nameOf = (one: JsonObject): string => textAt(one, 'name');

export function networkCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  const networks = listAt(spec, 'networks');
  const interfaces = listAt(devicesOf(spec), 'interfaces');
  return [
    ...defaultNetworkCauses(field, networks),
    ...sourceCauses(field, networks),
    ...multusCauses(field, networks),
    ...stateCauses(field, spec),
    ...bindingCauses(field, spec, config),
    ...uniqueNetworkCauses(field, networks),
    ...unusedCauses(field, networks, interfaces),
    ...uniqueInterfaceCauses(field, interfaces),
    ...unknownCauses(field, networks, interfaces),
    ...interfaceCauses(field, spec),
  ];
}

function defaultNetworkCauses(field: string, networks: readonly JsonObject[]): Cause[] {
  const pods = networks.filter((network) => isSet(network, 'pod'));
  const defaults = networks.filter((network) => objectAt(network, 'multus')?.['default'] === true);
  const causes: Cause[] = [];
  const at = `${field}.interfaces`;
  if (pods.length > 1) causes.push(duplicate(`more than one interface is connected to a pod network in ${at}`, at));
  if (defaults.length > 1) causes.push(invalid('Multus CNI should only have one default network', `${field}.networks`));
  if (pods.length > 0 && defaults.length > 0)
    causes.push(invalid('Pod network cannot be defined when Multus default network is defined', `${field}.networks`));
  return causes;
}

function sourceCauses(field: string, networks: readonly JsonObject[]): Cause[] {
  return networks.flatMap((network, index) => {
    const kinds = ['pod', 'multus', 'resourceClaim'].filter((kind) => isSet(network, kind)).length;
    if (kinds === 1) return [];
    const text = kinds === 0 ? 'should have a network type' : 'should have only one network type';
    return [required(text, `${field}.networks[${index}]`)];
  });
}

/** Only the first faulty network is reported. */
function multusCauses(field: string, networks: readonly JsonObject[]): Cause[] {
  const index = networks.findIndex(
    (network) => isSet(network, 'multus') && textAt(objectAt(network, 'multus'), 'networkName') === '',
  );
  if (index < 0) return [];
  return [required('CNI delegating plugin must have a networkName', `${field}.networks[${index}]`)];
}

function uniqueNetworkCauses(field: string, networks: readonly JsonObject[]): Cause[] {
  return repeated(networks).map((index) => {
    const name = JSON.stringify(nameOf(networks[index] ?? {}));
    return duplicate(
      `Network with name ${name} already exists, every network must have a unique name`,
      `${field}.networks[${index}].name`,
    );
  });
}

function uniqueInterfaceCauses(field: string, interfaces: readonly JsonObject[]): Cause[] {
  return repeated(interfaces).map((index) =>
    duplicate(
      'Only one interface can be connected to one specific network',
      `${field}.domain.devices.interfaces[${index}].name`,
    ),
  );
}

function repeated(items: readonly JsonObject[]): number[] {
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const known = seen.has(nameOf(item));
    seen.add(nameOf(item));
    return known ? [index] : [];
  });
}

function unusedCauses(field: string, networks: readonly JsonObject[], interfaces: readonly JsonObject[]): Cause[] {
  const known = new Set(interfaces.map(nameOf));
  return networks.flatMap((network, index) => {
    const at = `${field}.networks[${index}].name`;
    return known.has(nameOf(network)) ? [] : [required(`${at} '${nameOf(network)}' not found.`, at)];
  });
}

function unknownCauses(field: string, networks: readonly JsonObject[], interfaces: readonly JsonObject[]): Cause[] {
  const known = new Set(networks.map(nameOf));
  return interfaces.flatMap((one, index) => {
    const at = `${field}.domain.devices.interfaces[${index}].name`;
    return known.has(nameOf(one)) ? [] : [invalid(`${at} '${nameOf(one)}' not found.`, at)];
  });
}
