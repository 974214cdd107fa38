/** DNS of the launcher pod: the same rules as for pods. */
import { isIP } from 'node:net';
import type { JsonObject } from '../../../../values/json.ts';
import { listAt, objectAt, textAt, textsAt } from '../../../../objects/kinds/values/fields.ts';
import { isDNS1123Subdomain } from '../../../../objects/schema/names.ts';
import { invalid, notSupported, required, type Cause } from '../cause.ts';

const POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None', ''];
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 6;
const MAX_SEARCH_CHARACTERS = 256;

export function dnsCauses(field: string, spec: JsonObject): Cause[] {
  const policy = textAt(spec, 'dnsPolicy');
  const config = objectAt(spec, 'dnsConfig');
  const causes: Cause[] = [];
  if (!POLICIES.includes(policy)) {
    const text = `DNSPolicy: ${policy} is not supported, valid values: [${POLICIES.join(' ')}]`;
    causes.push(notSupported(text, `${field}.dnsPolicy`));
  }
  if (policy === 'None' && config === undefined)
    return [...causes, required('must provide `dnsConfig` when `dnsPolicy` is None', `${field}.dnsConfig`)];
  if (policy === 'None' && textsAt(config, 'nameservers').length === 0) {
    const text = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
    return [...causes, required(text, 'nameservers')];
  }
  return config === undefined ? causes : [...causes, ...configCauses(config)];
}

function configCauses(config: JsonObject): Cause[] {
  const nameservers = textsAt(config, 'nameservers');
  const searches = textsAt(config, 'searches');
  const causes: Cause[] = [];
  if (nameservers.length > MAX_NAMESERVERS) {
    const text = `must not have more than ${MAX_NAMESERVERS} nameservers: [${nameservers.join(' ')}]`;
    causes.push(invalid(text, 'nameservers'));
  }
  for (const server of nameservers) {
    if (isIP(server) === 0) causes.push(invalid(`must be valid IP address: ${server}`, 'nameservers'));
  }
  if (searches.length > MAX_SEARCHES)
    causes.push(invalid(`must not have more than ${MAX_SEARCHES} search paths`, 'searchDomains'));
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS) {
    const text = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`;
    causes.push(invalid(text, 'searchDomains'));
  }
  for (const search of searches)
    causes.push(...isDNS1123Subdomain(search).map((fault) => invalid(fault, 'searchDomains')));
  for (const option of listAt(config, 'options')) {
    if (textAt(option, 'name') === '') causes.push(invalid('Option.Name must not be empty', 'options'));
  }
  return causes;
}
