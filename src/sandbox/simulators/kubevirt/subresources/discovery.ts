/** What virt-api says that it serves. Not all of it: KubeVirt's own list lacks addvolume on VMs, memory dumps and the like. */
import type { JsonObject } from '../../../json.ts';

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
  // The verbs are null there, too: kubectl shows none of these as something to get.
  resources: served.map((name) => ({ name, singularName: '', namespaced: true, kind: '', verbs: null })),
});
