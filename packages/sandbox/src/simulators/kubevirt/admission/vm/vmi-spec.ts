/** All rules of a VMI's spec, in KubeVirt's order, which is also the order of the causes in a refusal. */
import type { JsonObject } from '../../../../values/json.ts';
import { listAt } from '../../../../objects/kinds/values/fields.ts';
import type { Cause } from '../cause.ts';
import type { ClusterConfig } from '../cluster-config.ts';
import { accessCredentialCauses } from '../rules/access-credentials.ts';
import { devicesOf, domainOf } from '../rules/amounts.ts';
import { bootOrderCauses } from '../rules/boot-order.ts';
import { cpuCauses, realtimeCauses } from '../rules/cpu.ts';
import { deviceCauses, inputCauses, ioThreadCauses } from '../rules/devices.ts';
import { diskCauses } from '../rules/disks.ts';
import { dnsCauses } from '../rules/dns.ts';
import { acpiCauses, firmwareCauses, serialCauses } from '../rules/firmware.ts';
import { launchSecurityCauses } from '../rules/launch-security.ts';
import { machineCauses } from '../rules/machine.ts';
import { memoryCauses, reservedOverheadCauses } from '../rules/memory.ts';
import { nameCauses, serviceAccountCauses } from '../rules/names.ts';
import { networkCauses } from '../rules/networks.ts';
import { placementCauses } from '../rules/placement.ts';
import { probeCauses } from '../rules/probes.ts';
import { resourceClaimCauses } from './resource-claims.ts';
import { evictionStrategyCauses, startStrategyCauses } from '../rules/strategies.ts';
import { containerDiskCauses, volumeCauses } from '../rules/volumes.ts';

export function vmiSpecCauses(field: string, spec: JsonObject, config: ClusterConfig): Cause[] {
  const volumes = listAt(spec, 'volumes');
  return [
    ...nameCauses(field, spec),
    ...memoryCauses(field, spec, config),
    ...machineCauses(field, spec, config),
    ...serialCauses(field, spec),
    ...acpiCauses(field, spec),
    ...cpuCauses(field, spec),
    ...startStrategyCauses(field, spec),
    ...realtimeCauses(field, spec),
    ...placementCauses(field, spec),
    ...networkCauses(field, spec, config),
    ...resourceClaimCauses(field, spec, config),
    ...bootOrderCauses(field, spec),
    ...inputCauses(field, spec),
    ...ioThreadCauses(field, spec),
    ...probeCauses(field, spec),
    ...diskCauses(`${field}.domain.devices.disks`, listAt(devicesOf(spec), 'disks')),
    ...firmwareCauses(`${field}.domain`, domainOf(spec)),
    ...volumeCauses(`${field}.volumes`, volumes, config),
    ...containerDiskCauses(field, spec),
    ...accessCredentialCauses(`${field}.accessCredentials`, listAt(spec, 'accessCredentials'), volumes),
    ...dnsCauses(field, spec),
    ...evictionStrategyCauses(field, spec),
    ...launchSecurityCauses(field, spec, config),
    ...deviceCauses(field, spec, config),
    ...reservedOverheadCauses(field, spec, config),
    ...serviceAccountCauses(field, spec),
  ];
}
