/**
 * The resource list that virt-api publishes. It is incomplete: KubeVirt's own list lacks addvolume on VMs, memory dumps
 * and others.
 */
import type { JsonObject } from '../../../values/json.ts';

export const GROUP = 'subresources.kubevirt.io';

const served = [
  'expand-vm-spec',
  'virtualmachineinstances/vnc',
  'virtualmachineinstances/vnc/screenshot',
  'virtualmachineinstances/console',
  'virtualmachineinstances/portforward',
  'virtualmachineinstances/backup',
  'virtualmachineinstances/redefine-checkpoint',
  'virtualmachineinstances/pause',
  'virtualmachineinstances/unpause',
  'virtualmachineinstances/freeze',
  'virtualmachineinstances/unfreeze',
  'virtualmachineinstances/reset',
  'virtualmachineinstances/softreboot',
  'virtualmachines/start',
  'virtualmachines/stop',
  'virtualmachines/restart',
  'virtualmachines/migrate',
  'virtualmachines/expand-spec',
  'virtualmachines/objectgraph',
  'virtualmachines/evacuate/cancel',
  'virtualmachineinstances/guestosinfo',
  'virtualmachineinstances/userlist',
  'virtualmachineinstances/filesystemlist',
  'virtualmachineinstances/addvolume',
  'virtualmachineinstances/removevolume',
  'virtualmachineinstances/objectgraph',
  'virtualmachineinstances/sev/fetchcertchain',
  'virtualmachineinstances/sev/querylaunchmeasurement',
  'virtualmachineinstances/sev/setupsession',
  'virtualmachineinstances/sev/injectlaunchsecret',
  'virtualmachineinstances/evacuate/cancel',
] as const;

export const resourceList = (version: string): JsonObject => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${GROUP}/${version}`,
  // The verbs are null in KubeVirt, too: kubectl offers none of these for `get`.
  resources: served.map((name) => ({ name, singularName: '', namespaced: true, kind: '', verbs: null })),
});
