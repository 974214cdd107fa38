/** Hostname and subdomain of the guest, and the ServiceAccount of its launcher pod. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { goQuote } from '../../../../objects/schema/go/go-text.ts';
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

/** An invalid name in a volume shows only when the launcher pod is created. */
export function serviceAccountCauses(field: string, spec: JsonObject): Cause[] {
  const name = textAt(spec, 'serviceAccountName');
  if (name === '') return [];
  const at = `${field}.serviceAccountName`;
  const causes: Cause[] = [];
  const faults = isDNS1123Subdomain(name);
  if (faults.length > 0) causes.push(invalid(`${at} is not a valid service account name: ${faults.join('; ')}`, at));
  const others = listAt(spec, 'volumes')
    .filter((volume) => isSet(volume, 'serviceAccount'))
    .map((volume) => textAt(objectAt(volume, 'serviceAccount'), 'serviceAccountName'));
  const other = others.find((one) => one !== name);
  if (other !== undefined) {
    const text = `spec.serviceAccountName ${goQuote(name)} and serviceAccount volume ${goQuote(other)} must reference the same service account`;
    causes.push(invalid(text, at));
  }
  return causes;
}

const malformed = (field: string, rules: string, faults: readonly string[]): Cause =>
  invalid(`${field} does not conform to the kubernetes ${rules} rules : ${faults.join(', ')}`, field);
