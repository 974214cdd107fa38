/** Endpoints and their successor, EndpointSlices. */
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject, KubeObject } from '../../../values/json.ts';
import { jsonEqual } from '../../../values/json.ts';
import { immutable, label, oneOf, portNumber, qualifiedName, subdomain } from '../errors.ts';
import { isSet, listAt, numberAt, setDefault, textAt, textsAt } from '../values/fields.ts';
import { keepGeneration, raiseGeneration } from '../values/generation.ts';
import { endpointIP, isIPv6, validIP } from '../values/ip.ts';
import type { KindBehaviour } from '../kind.ts';

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const DEPRECATED = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';
const MAX_ENDPOINTS = 1000;
const MAX_ADDRESSES = 100;

function addressErrors(address: JsonObject, path: string): FieldError[] {
  const ip = textAt(address, 'ip');
  const hostname = textAt(address, 'hostname');
  const nodeName = textAt(address, 'nodeName');
  return [
    ...validIP(ip, `${path}.ip`),
    ...(hostname === '' ? [] : label(hostname, `${path}.hostname`)),
    ...(nodeName === '' ? [] : subdomain(nodeName, `${path}.nodeName`)),
    ...endpointIP(ip, `${path}.ip`),
  ];
}

function portErrors(port: JsonObject, needsName: boolean, path: string): FieldError[] {
  const name = textAt(port, 'name');
  const app = port['appProtocol'];
  const unnamed = needsName ? [fieldError.required(`${path}.name`, '')] : [];
  return [
    ...(name === '' ? unnamed : label(name, `${path}.name`)),
    ...portNumber(numberAt(port, 'port'), `${path}.port`),
    ...oneOf(port, 'protocol', path, PROTOCOLS),
    ...(typeof app === 'string' ? qualifiedName(app, `${path}.appProtocol`) : []),
  ];
}

function subsetErrors(subset: JsonObject, path: string): FieldError[] {
  const [ready, notReady, ports] = ['addresses', 'notReadyAddresses', 'ports'].map((key) => listAt(subset, key));
  const none = (ready?.length ?? 0) + (notReady?.length ?? 0) === 0;
  return [
    ...(none ? [fieldError.required(path, 'must specify `addresses` or `notReadyAddresses`')] : []),
    ...(ready ?? []).flatMap((address, i) => addressErrors(address, `${path}.addresses[${i}]`)),
    ...(notReady ?? []).flatMap((address, i) => addressErrors(address, `${path}.notReadyAddresses[${i}]`)),
    ...(ports ?? []).flatMap((port, i, all) => portErrors(port, all.length > 1, `${path}.ports[${i}]`)),
  ];
}

const endpointsErrors = (object: KubeObject): FieldError[] =>
  listAt(object, 'subsets').flatMap((subset, i) => subsetErrors(subset, `subsets[${i}]`));

export const endpoints: KindBehaviour = {
  deprecation: DEPRECATED,
  allowCreateOnUpdate: true,
  default(object) {
    for (const subset of listAt(object, 'subsets')) {
      for (const port of listAt(subset, 'ports')) setDefault(port, 'protocol', 'TCP');
    }
  },
  validate: endpointsErrors,
  validateUpdate: (object, old) => (jsonEqual(object['subsets'], old['subsets']) ? [] : endpointsErrors(object)),
};

function sliceAddress(address: string, type: string, path: string, i: number): FieldError[] {
  const field = `${path}[${i}]`;
  if (type !== 'IPv4' && type !== 'IPv6') return [];
  const faults = validIP(address, field);
  if (faults.length > 0) return faults;
  const fits = isIPv6(address) === (type === 'IPv6');
  const wrong = fits ? [] : [fieldError.invalid(path, address, `must be an ${type} address`)];
  return [...wrong, ...endpointIP(address, field)];
}

function sliceEndpoint(endpoint: JsonObject, type: string, path: string): FieldError[] {
  const addresses = textsAt(endpoint, 'addresses');
  const at = `${path}.addresses`;
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(fieldError.required(at, 'must contain at least 1 address'));
  else if (addresses.length > MAX_ADDRESSES) errors.push(fieldError.tooMany(at, addresses.length, MAX_ADDRESSES));
  errors.push(...addresses.flatMap((address, i) => sliceAddress(address, type, at, i)));
  const nodeName = textAt(endpoint, 'nodeName');
  if (isSet(endpoint, 'nodeName')) errors.push(...subdomain(nodeName, `${path}.nodeName`));
  if (isSet(endpoint, 'hostname')) errors.push(...label(textAt(endpoint, 'hostname'), `${path}.hostname`));
  return errors;
}

function slicePorts(ports: JsonObject[]): FieldError[] {
  const seen = new Set<string>();
  return ports.flatMap((port, i) => {
    const path = `ports[${i}]`;
    const name = textAt(port, 'name');
    const errors = name === '' ? [] : label(name, `${path}.name`);
    if (seen.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name));
    seen.add(name);
    const app = port['appProtocol'];
    errors.push(...oneOf(port, 'protocol', path, PROTOCOLS));
    return typeof app === 'string' ? [...errors, ...qualifiedName(app, `${path}.appProtocol`)] : errors;
  });
}

function sliceErrors(slice: KubeObject, old?: KubeObject): FieldError[] {
  const type = textAt(slice, 'addressType');
  const errors = [...oneOf(slice, 'addressType', '', ['FQDN', 'IPv4', 'IPv6']), ...slicePorts(listAt(slice, 'ports'))];
  if (old !== undefined && jsonEqual(slice['endpoints'], old['endpoints'])) return errors;
  const list = listAt(slice, 'endpoints');
  if (list.length > MAX_ENDPOINTS) return [...errors, fieldError.tooMany('endpoints', list.length, MAX_ENDPOINTS)];
  return [...errors, ...list.flatMap((endpoint, i) => sliceEndpoint(endpoint, type, `endpoints[${i}]`))];
}

const withoutMetadata = ({ metadata: _, ...rest }: JsonObject): JsonObject => rest;

export const endpointSlice: KindBehaviour = {
  hasGeneration: true,
  default(object) {
    for (const port of listAt(object, 'ports')) {
      if (!isSet(port, 'name')) port['name'] = '';
      setDefault(port, 'protocol', 'TCP');
    }
  },
  prepareForUpdate(object, old) {
    const same = jsonEqual(withoutMetadata(object), withoutMetadata(old));
    if (same && jsonEqual(object.metadata.labels, old.metadata.labels)) keepGeneration(object, old);
    else raiseGeneration(object, old);
  },
  validate: (object) => sliceErrors(object),
  validateUpdate: (object, old) => [
    ...sliceErrors(object, old),
    ...immutable(object['addressType'], old['addressType'], 'addressType'),
  ],
};
