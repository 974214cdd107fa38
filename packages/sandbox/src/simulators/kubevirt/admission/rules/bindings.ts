/** How interfaces are bound to their networks. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { invalid, type Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { devicesOf } from './amounts.ts';

const METHODS = ['bridge', 'slirp', 'masquerade', 'sriov', 'macvtap', 'passt', 'passtBinding', 'binding'];
/** The address of the bridge in the launcher pod. */
const RESERVED_MAC = '02:00:00:00:00:00';

export function bindingCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  // Of two networks with the same name the last one counts, as in a map.
  const networks = new Map(listAt(spec, 'networks').map((network) => [textAt(network, 'name'), network]));
  return listAt(devicesOf(spec), 'interfaces').flatMap((one, index) => {
    const at = `${field}.domain.devices.interfaces[${index}]`;
    return oneBindingCauses(at, one, networks.get(textAt(one, 'name')), config);
  });
}

function oneBindingCauses(
  at: string,
  one: JsonObject,
  network: JsonObject | undefined,
  config: ClusterConfig,
): Cause[] {
  const causes: Cause[] = [];
  const onPod = isSet(network, 'pod');
  if (METHODS.filter((method) => isSet(one, method)).length !== 1)
    causes.push(
      invalid(`logical ${textAt(one, 'name')} interface must have exactly one binding method or binding plugin`, at),
    );
  if (isSet(one, 'masquerade') && !onPod)
    causes.push(invalid('Masquerade interface only implemented with pod network', `${at}.name`));
  if (isSet(one, 'masquerade') && textAt(one, 'macAddress').toLowerCase() === RESERVED_MAC)
    causes.push(
      invalid(
        'The requested MAC address is reserved for the in-pod bridge. Please choose another one.',
        `${at}.macAddress`,
      ),
    );
  if (isSet(one, 'bridge') && onPod && !config.permitBridgeOnPodNetwork)
    causes.push(invalid('Bridge on pod network configuration is not enabled under kubevirt-config', `${at}.name`));
  return causes;
}

/** Checked when a VM or VMI is created. */
export function discontinuedCauses(field: string, spec: JsonObject): Cause[] {
  return listAt(devicesOf(spec), 'interfaces').flatMap((one, index) => {
    const at = `${field}.domain.devices.interfaces[${index}]`;
    const causes: Cause[] = [];
    if (isSet(one, 'slirp'))
      causes.push(invalid('Slirp interface support has been discontinued since v1.3', `${at}.slirp`));
    if (isSet(one, 'passt'))
      causes.push(invalid('Passt network binding has been discontinued since v1.3', `${at}.passt`));
    if (isSet(one, 'macvtap'))
      causes.push(invalid('Macvtap network binding has been discontinued since v1.3', `${at}.macvtap`));
    return causes;
  });
}
