/** The fields of interfaces. */
import { isIPv4 } from 'node:net';
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, numberAt, objectAt, textAt, textsAt } from '../../../../objects/kinds/values/fields.ts';
import { isValidPortName } from '../../../../objects/schema/names.ts';
import { duplicate, invalid, notSupported, required, type Cause } from '../cause.ts';
import { devicesOf } from './amounts.ts';
import { isPciAddress } from './pci-address.ts';

const MODELS = ['e1000', 'e1000e', 'igb', 'ne2k_pci', 'pcnet', 'rtl8139', 'virtio'];
const STATES = ['', 'absent', 'up', 'down'];

export function stateCauses(field: string, spec: JsonObject): Cause[] {
  const networks = listAt(spec, 'networks');
  return listAt(devicesOf(spec), 'interfaces').flatMap((one, index) => {
    const at = `${field}.domain.devices.interfaces[${index}].state`;
    const state = textAt(one, 'state');
    const name = textAt(one, 'name');
    if (!STATES.includes(state)) return [invalid(`logical ${name} interface state value is unsupported: ${state}`, at)];
    const causes: Cause[] = [];
    const network = networks.find((other) => textAt(other, 'name') === name);
    if (state === 'absent' && !isSet(one, 'bridge') && !isSet(one, 'binding'))
      causes.push(invalid(`"${name}" interface's state "absent" is supported only for bridge binding`, at));
    if (state === 'absent' && isSet(network, 'pod'))
      causes.push(invalid(`"${name}" interface's state "absent" is not supported on default networks`, at));
    return causes;
  });
}

export function interfaceCauses(field: string, spec: JsonObject): Cause[] {
  const networks = new Map(listAt(spec, 'networks').map((network) => [textAt(network, 'name'), network]));
  return listAt(devicesOf(spec), 'interfaces').flatMap((one, index) => {
    const at = `${field}.domain.devices.interfaces[${index}]`;
    const onPod = isSet(networks.get(textAt(one, 'name')), 'pod');
    return [
      ...formCauses(at, one),
      ...macCauses(at, textAt(one, 'macAddress')),
      ...addressCauses(at, textAt(one, 'pciAddress')),
      ...(onPod ? portCauses(at, listAt(one, 'ports')) : []),
      ...dhcpCauses(field, at, objectAt(one, 'dhcpOptions')),
    ];
  });
}

function formCauses(at: string, one: JsonObject): Cause[] {
  const causes: Cause[] = [];
  if (!/^[A-Za-z0-9-_]+$/.test(textAt(one, 'name'))) {
    const text =
      'Network interface name can only contain alphabetical characters, numbers, dashes (-) or underscores (_)';
    causes.push(invalid(text, `${at}.name`));
  }
  const model = textAt(one, 'model');
  if (model !== '' && !MODELS.includes(model))
    causes.push(notSupported(`interface ${at}.name uses model ${model} that is not supported.`, `${at}.model`));
  return causes;
}

/** Addresses of 6, 8 or 20 bytes with colons, dashes or dots can be parsed; only those of 6 bytes are valid. */
function macCauses(at: string, mac: string): Cause[] {
  if (mac === '') return [];
  const bytes = macBytes(mac);
  if (bytes === 6) return [];
  const fault = bytes === undefined ? `malformed MAC address (${mac})` : `too long MAC address (${mac})`;
  return [invalid(`interface ${at}.name has ${fault}.`, `${at}.macAddress`)];
}

function macBytes(mac: string): number | undefined {
  const dotted = /^[0-9A-Fa-f]{4}(\.[0-9A-Fa-f]{4})+$/.test(mac);
  const paired = /^[0-9A-Fa-f]{2}(?:(:[0-9A-Fa-f]{2})+|(-[0-9A-Fa-f]{2})+)$/.test(mac);
  if (!dotted && !paired) return undefined;
  const bytes = mac.replaceAll(/[:.-]/g, '').length / 2;
  return [6, 8, 20].includes(bytes) ? bytes : undefined;
}

function addressCauses(at: string, address: string): Cause[] {
  if (address === '' || isPciAddress(address)) return [];
  return [invalid(`interface ${at}.name has malformed PCI address (${address}).`, `${at}.pciAddress`)];
}

function portCauses(at: string, ports: readonly JsonObject[]): Cause[] {
  const seen = new Set<string>();
  const named = ports.flatMap((port, index) => {
    const name = textAt(port, 'name');
    if (name === '') return [];
    const field = `${at}.ports[${index}].name`;
    const causes: Cause[] = [];
    if (seen.has(name)) causes.push(duplicate(`Duplicate name of the port: ${name}`, field));
    if (isValidPortName(name).length > 0) causes.push(invalid(`Invalid name of the port: ${name}`, field));
    seen.add(name);
    return causes;
  });
  return [...named, ...ports.flatMap((port, index) => onePortCauses(`${at}.ports[${index}]`, port))];
}

function onePortCauses(at: string, port: JsonObject): Cause[] {
  const causes: Cause[] = [];
  const number = numberAt(port, 'port');
  const protocol = textAt(port, 'protocol');
  if (number === 0) causes.push(required('Port field is mandatory.', `${at}.port`));
  if (number < 0 || number > 65_535) causes.push(invalid('Port field must be in range 0 < x < 65536.', `${at}.port`));
  if (!['', 'TCP', 'UDP'].includes(protocol))
    causes.push(invalid('Unknown protocol, only TCP or UDP allowed', `${at}.protocol`));
  return causes;
}

function dhcpCauses(field: string, at: string, options: JsonObject | undefined): Cause[] {
  if (options === undefined) return [];
  const codes = listAt(options, 'privateOptions').map((option) => numberAt(option, 'option'));
  const causes: Cause[] = [];
  if (new Set(codes).size < codes.length)
    causes.push(invalid('Found Duplicates: you have provided duplicate DHCPPrivateOptions', field));
  for (const code of codes) {
    if (code < 224 || code > 254)
      causes.push(invalid('provided DHCPPrivateOptions are out of range, must be in range 224 to 254', field));
  }
  for (const [index, server] of textsAt(options, 'ntpServers').entries()) {
    if (!isIPv4(server))
      causes.push(
        invalid('NTP servers must be a list of valid IPv4 addresses.', `${at}.dhcpOptions.ntpServers[${index}]`),
      );
  }
  return causes;
}
