/** virt-api: admission, subresources, instance types. */
import { admission, scenarios, states, together, unit, type SimulatorDefect } from '../defect.ts';

const rules = (file: string): string => `kubevirt/admission/${file}.ts`;
const calls = (file: string): string => `kubevirt/subresources/${file}.ts`;
const types = (file: string): string => `kubevirt/instancetypes/${file}.ts`;

const admissionDefects: readonly SimulatorDefect[] = [
  {
    name: 'a disk needs no volume',
    file: rules('rules/boot-order'),
    find: "if (volume === undefined && !isSet(disk, 'cdrom'))",
    replace: 'if (false)',
    noticedBy: admission('create/disk-without-volume'),
  },
  {
    name: 'two devices boot first',
    file: rules('rules/boot-order'),
    find: 'if (!taken) return [];',
    replace: 'return [];',
    noticedBy: admission('create/bootorder-equal'),
  },
  {
    name: 'a CD-ROM may be virtio',
    file: rules('rules/disks'),
    find: "bus === 'virtio' && target === 'cdrom'",
    replace: 'false',
    noticedBy: admission('create/cdrom-virtio'),
  },
  {
    name: 'a volume may have two sources',
    file: rules('rules/volumes'),
    find: 'isSet(volume, source)).length !== 1',
    replace: 'isSet(volume, source)).length === 0',
    noticedBy: admission('create/volume-two-sources'),
  },
  {
    name: 'a new VM gets no uuid and no serial',
    file: rules('vm-mutator'),
    find: "for (const field of ['uuid', 'serial'])",
    replace: 'for (const field of [] as string[])',
    noticedBy: admission('create/valid-minimal'),
  },
  {
    name: 'who limits does not request',
    file: rules('defaults/vmi-spec'),
    find: "if (!isZero(limit) && isZero(claimed(spec, 'requests', resource)))",
    replace: 'if (false)',
    noticedBy: unit('kubevirt/admission/defaults/defaults.test.ts'),
  },
  {
    name: 'users write the status of a VMI',
    file: rules('vmi-mutator'),
    find: 'return allowedWith([], [put]);',
    replace: 'return put === undefined ? allowed : allowed;',
    noticedBy: scenarios('vmi/status-write-by-user'),
  },
  {
    name: 'what cannot be migrated is evicted',
    file: rules('eviction'),
    find: "if (strategy === 'LiveMigrate' && movable !== true) {",
    replace: 'if (false) {',
    noticedBy: unit('kubevirt/admission/webhooks.test.ts'),
  },
  {
    name: 'a VM is started while it is being restored',
    file: rules('in-progress'),
    find: "if (restore === '' || sameRun(spec, oldSpec)) return [];",
    replace: 'return [];',
    noticedBy: scenarios('vm/restore-in-progress'),
  },
];

const subresourceDefects: readonly SimulatorDefect[] = [
  {
    name: 'a route without a type answers a client that accepts JSON alone',
    file: calls('negotiation'),
    find: 'type === anyType || produces.includes(type)',
    replace: "type === anyType || produces.includes(type) || type === 'application/json'",
    noticedBy: unit('kubevirt/subresources/negotiation.test.ts'),
  },
  {
    name: 'virt-api does not negotiate',
    file: calls('api'),
    find: 'negotiate(route.contents, call.request) ??',
    replace: '',
    noticedBy: together(
      'life.test.ts',
      'virt-api refuses a client that does not accept any type, in front of its handlers and without a Status',
      // It goes on all the same.
      'a machine that is created runs: its disk, its instance, its pod, and what is said about them',
    ),
  },
  {
    name: 'Always takes a start request',
    file: calls('start'),
    find: 'return no(`${strategy} does not support manual start requests`);',
    replace: 'return { writes: [] };',
    noticedBy: states('always-provisioning'),
  },
  {
    name: 'a manual VM that does not run takes a stop',
    file: calls('stop'),
    find: "case 'Manual':\n      if (live === undefined) return no('VM is not running');",
    replace: "case 'Manual':\n      if (live === undefined) return { writes: [] };",
    noticedBy: states('manual-stopped'),
  },
  {
    name: 'a halted VM can be restarted',
    file: calls('restart'),
    find: "if (strategy === 'Halted' || strategy === 'Once')",
    replace: "if (strategy === 'Once')",
    noticedBy: states('halted'),
  },
  {
    name: 'a forced restart leaves the guest its time',
    file: calls('restart'),
    find: 'if (!options.forced) return',
    replace: 'if (true) return',
    noticedBy: unit('kubevirt/subresources/power.test.ts'),
  },
  {
    name: 'a dry run is carried out',
    file: calls('power'),
    find: 'const dryRun = isDryRun(options);',
    replace: 'const dryRun = false;',
    noticedBy: together('virt-api.test.ts', 'a dry run changes nothing', 'both versions are served'),
  },
  {
    name: 'a plugged claim cannot be unplugged',
    file: calls('volume-change'),
    find: '{ ...persistentVolumeClaim, hotpluggable: true }',
    replace: '{ ...persistentVolumeClaim }',
    noticedBy: unit('kubevirt/subresources/volume-change.test.ts'),
  },
  {
    name: 'two sit at one screen',
    file: calls('one-session'),
    find: 'if (!exclusive.has(what)) return',
    replace: "if (what !== 'usbredir') return",
    noticedBy: together(
      'virt-api.test.ts',
      'a new session at the screen ends the one before, unless it was told to leave that alone',
      'both versions are served',
    ),
  },
  {
    name: 'a client is not told that the guest has ended',
    file: calls('websocket'),
    find: "for (const over of ['end', 'close']) guest.once(over, () => client.close(NORMAL));",
    replace: '',
    noticedBy: together(
      'virt-api.test.ts',
      'when the guest ends, the client is told, after the last bytes',
      'both versions are served',
    ),
  },
];

const instancetypeDefects: readonly SimulatorDefect[] = [
  {
    name: 'vCPUs become cores where nobody prefers any',
    file: types('topology'),
    find: 'return { ...one, sockets: vcpus };',
    replace: 'return { ...one, cores: vcpus };',
    noticedBy: unit('kubevirt/instancetypes/expand.test.ts'),
  },
  {
    name: 'a VM may set what its instance type sets',
    file: types('apply-instancetype'),
    find: 'if (conflicts.length > 0) return conflicts;\n  for (const part of [...parts',
    replace: 'for (const part of [...parts',
    noticedBy: admission('create/it-conflict-cpu'),
  },
  {
    name: 'an instance type that was edited has the revision of before',
    file: types('revisions'),
    find: '-${uid}-${generation}`',
    replace: '-${uid}-1`',
    noticedBy: unit('kubevirt/instancetypes/revisions.test.ts'),
  },
];

export const apiDefects: readonly SimulatorDefect[] = [
  ...admissionDefects,
  ...subresourceDefects,
  ...instancetypeDefects,
];
