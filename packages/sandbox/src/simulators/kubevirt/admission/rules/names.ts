/** Hostname and subdomain of the guest. */
import type { JsonObject } from '../../../../values/json.ts';
import { textAt } from '../../../../objects/kinds/values/fields.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '../../../../objects/schema/names.ts';
import { invalid, type Cause } from '../cause.ts';

export function nameCauses(field: string, spec: JsonObject): Cause[] {
  const causes: Cause[] = [];
  const hostname = textAt(spec, 'hostname');
  const labelFaults = hostname === '' ? [] : isDNS1123Label(hostname);
  if (labelFaults.length > 0) causes.push(malformed(`${field}.hostname`, 'DNS_LABEL', labelFaults));
  const subdomain = textAt(spec, 'subdomain');
  const subdomainFaults = subdomain === '' ? [] : isDNS1123Subdomain(subdomain);
  if (subdomainFaults.length > 0) causes.push(malformed(`${field}.subdomain`, 'DNS_SUBDOMAIN', subdomainFaults));
  return causes;
}

const malformed = (field: string, rules: string, faults: readonly string[]): Cause =>
  invalid(`${field} does not conform to the kubernetes ${rules} rules : ${faults.join(', ')}`, field);
