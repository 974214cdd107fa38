/** Encrypted guests, on amd64 only. */
import type { JsonObject } from '../../../../values/json.ts';
import { isSet, listAt, objectAt, textAt } from '../../../../objects/kinds/values/fields.ts';
import { forbidden, invalid, type Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { devicesOf, domainOf, isOn } from './amounts.ts';
import { hasSecureBoot } from './firmware.ts';

const GATES = { sev: 'WorkloadEncryptionSEV', snp: 'WorkloadEncryptionSEV', tdx: 'WorkloadEncryptionTDX' } as const;
const KINDS = ['sev', 'snp', 'tdx'] as const;

export function launchSecurityCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  const domain = domainOf(spec);
  const security = objectAt(domain, 'launchSecurity');
  if (security === undefined || textAt(spec, 'architecture') === 's390x') return [];
  const at = `${field}.launchSecurity`;
  const [kind, ...more] = KINDS.filter((one) => isSet(security, one));
  if (kind === undefined || more.length > 0) return [forbidden('One and only one launchSecurity type can be set', at)];
  if (!config.featureGates.has(GATES[kind]))
    return [invalid(`${GATES[kind]} feature gate is not enabled in kubevirt-config`, at)];
  return guestCauses(at, spec, kind);
}

function guestCauses(at: string, spec: JsonObject, kind: (typeof KINDS)[number]): Cause[] {
  const domain = domainOf(spec);
  const called = kind.toUpperCase();
  const causes: Cause[] = [];
  if (kind === 'tdx' && isOn(objectAt(domain, 'features')?.['smm']))
    causes.push(invalid('TDX does not work along with SMM', at));
  const efi = objectAt(objectAt(objectAt(domain, 'firmware'), 'bootloader'), 'efi');
  if (efi === undefined) causes.push(invalid(`${called} requires OVMF (UEFI)`, at));
  else if (kind !== 'tdx' && hasSecureBoot(domain))
    causes.push(invalid(`${called} does not work along with SecureBoot`, at));
  if (kind !== 'sev' && efi?.['persistent'] === true)
    causes.push(invalid(`${called} does not work along with Persistent EFI variables`, at));
  const attests = isSet(objectAt(objectAt(domain, 'launchSecurity'), 'sev'), 'attestation');
  if (attests && textAt(spec, 'startStrategy') !== 'Paused')
    causes.push(invalid("SEV attestation requires VMI StartStrategy 'Paused'", at));
  for (const one of listAt(devicesOf(spec), 'interfaces')) {
    if (isSet(one, 'bootOrder'))
      causes.push(invalid(`${called} does not work with bootable NICs: ${textAt(one, 'name')}`, at));
  }
  return causes;
}
