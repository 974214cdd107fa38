import { BlockList } from 'node:net';
import type { FieldError } from '../../../server/api/status.ts';
import { fieldError } from '../../../server/api/status.ts';
import type { JsonObject } from '../../../values/json.ts';
import { isValidPortName } from '../../schema/names.ts';
import { oneOf, portNumber } from '../errors.ts';
import { ensureObject, listAt, objectAt, setDefault, textAt, textsAt } from '../values/fields.ts';
import { generationOnSpecChange } from '../values/generation.ts';
import { isCIDR, isIPv6, validCIDR } from '../values/ip.ts';
import type { KindBehaviour } from '../kind.ts';
import { selectorErrors } from '../values/selector.ts';

const TYPES = ['Ingress', 'Egress'];

function portErrors(port: JsonObject, path: string): FieldError[] {
  const errors = oneOf(port, 'protocol', path, ['TCP', 'UDP', 'SCTP'], false);
  const number = port['port'];
  const end = port['endPort'];
  const wrongEnd = (why: string): FieldError[] =>
    typeof end === 'number' ? [fieldError.invalid(`${path}.endPort`, end, why)] : [];
  if (typeof number === 'string') {
    errors.push(...wrongEnd('may not be specified when `port` is non-numeric'));
    return [...errors, ...isValidPortName(number).map((why) => fieldError.invalid(`${path}.port`, number, why))];
  }
  if (typeof number !== 'number') return [...errors, ...wrongEnd('may not be specified when `port` is not specified')];
  errors.push(...portNumber(number, `${path}.port`));
  if (typeof end !== 'number') return errors;
  // Kubernetes' text contains `port` here, not `endPort`.
  const why = 'must be greater than or equal to `port`';
  if (end < number) errors.push(fieldError.invalid(`${path}.endPort`, number, why));
  return [...errors, ...portNumber(end, `${path}.endPort`)];
}

function blockErrors(block: JsonObject, path: string): FieldError[] {
  const cidr = textAt(block, 'cidr');
  if (cidr === '') return [fieldError.required(`${path}.cidr`, '')];
  const errors = validCIDR(cidr, `${path}.cidr`);
  if (errors.length > 0) return errors;
  return textsAt(block, 'except').flatMap((except, i) => {
    const field = `${path}.except[${i}]`;
    if (!isCIDR(except)) return validCIDR(except, field);
    return isInside(except, cidr) ? [] : [fieldError.invalid(field, except, 'must be a strict subset of `cidr`')];
  });
}

function isInside(inner: string, outer: string): boolean {
  const [address = '', bits = ''] = outer.split('/');
  const [innerAddress = '', innerBits = ''] = inner.split('/');
  if (isIPv6(address) !== isIPv6(innerAddress) || Number(bits) >= Number(innerBits)) return false;
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const range = new BlockList();
  range.addSubnet(address, Number(bits), family);
  return range.check(innerAddress, family);
}

function peerErrors(peer: JsonObject, path: string): FieldError[] {
  const pods = objectAt(peer, 'podSelector');
  const namespaces = objectAt(peer, 'namespaceSelector');
  const block = objectAt(peer, 'ipBlock');
  const errors = [
    ...selectorErrors(pods, `${path}.podSelector`),
    ...selectorErrors(namespaces, `${path}.namespaceSelector`),
    ...(block === undefined ? [] : blockErrors(block, `${path}.ipBlock`)),
  ];
  const count = [pods, namespaces, block].filter((part) => part !== undefined).length;
  if (count === 0) errors.push(fieldError.required(path, 'must specify a peer'));
  else if (count > 1 && block !== undefined) {
    errors.push(fieldError.forbidden(path, 'may not specify both ipBlock and another peer'));
  }
  return errors;
}

function ruleErrors(spec: JsonObject | undefined, direction: string, peers: string): FieldError[] {
  return listAt(spec, direction).flatMap((rule, i) => {
    const path = `spec.${direction}[${i}]`;
    return [
      ...listAt(rule, 'ports').flatMap((port, j) => portErrors(port, `${path}.ports[${j}]`)),
      ...listAt(rule, peers).flatMap((peer, j) => peerErrors(peer, `${path}.${peers}[${j}]`)),
    ];
  });
}

function typeErrors(spec: JsonObject | undefined): FieldError[] {
  const types = textsAt(spec, 'policyTypes');
  const many = 'may not specify more than two policyTypes';
  if (types.length > 2) return [fieldError.invalid('spec.policyTypes', types, many)];
  return types.flatMap((type, i) =>
    TYPES.includes(type) ? [] : [fieldError.notSupported(`spec.policyTypes[${i}]`, type, TYPES)],
  );
}

export const networkPolicy: KindBehaviour = {
  hasGeneration: true,
  default(object) {
    const spec = ensureObject(object, 'spec');
    const rules = [...listAt(spec, 'ingress'), ...listAt(spec, 'egress')];
    for (const port of rules.flatMap((rule) => listAt(rule, 'ports'))) setDefault(port, 'protocol', 'TCP');
    if (textsAt(spec, 'policyTypes').length > 0) return;
    spec['policyTypes'] = listAt(spec, 'egress').length > 0 ? [...TYPES] : ['Ingress'];
  },
  prepareForUpdate: generationOnSpecChange,
  validate(object) {
    const spec = objectAt(object, 'spec');
    return [
      ...selectorErrors(objectAt(spec, 'podSelector'), 'spec.podSelector'),
      ...ruleErrors(spec, 'ingress', 'from'),
      ...ruleErrors(spec, 'egress', 'to'),
      ...typeErrors(spec),
    ];
  },
};
