/** The VMI controller, and the pods that it makes. */
import { scenarios, unit, type SimulatorDefect } from '../defect.ts';

const at = (file: string): string => `kubevirt/vmi/${file}.ts`;

export const vmiDefects: readonly SimulatorDefect[] = [
  {
    name: 'a VMI is ready before its guest runs',
    file: at('ready'),
    find: "if (status?.phase !== 'Running') return",
    replace: 'if (false) return',
    noticedBy: unit('kubevirt/vmi/status.test.ts'),
  },
  {
    name: 'a pod that ends is not told',
    file: at('ready'),
    find: 'if (isDownOrGoingDown(pod)) return',
    replace: 'if (false) return',
    noticedBy: scenarios('vm/stop-always-by-patch'),
  },
  {
    name: 'that a pod cannot be scheduled is not shown',
    file: at('phases'),
    find: "if (scheduled?.status !== 'False') {",
    replace: 'if (scheduled !== null) {',
    noticedBy: scenarios('vm/unschedulable'),
  },
  {
    name: 'a claim that is missing is not shown as unschedulable',
    file: at('phases'),
    find: 'if (draft.error?.reason === reasons.failedPvcNotFound) markUnschedulable(draft, draft.error.message);',
    replace: '',
    noticedBy: unit('kubevirt/vmi/status.test.ts'),
  },
  {
    name: 'an image that cannot be pulled is not shown',
    file: at('phases'),
    find: 'if (image !== undefined) draft.error = { ...image, retry: false };',
    replace: '',
    noticedBy: scenarios('vm/image-pull-error'),
  },
  {
    name: 'a VMI that is handed over does not bear the label of its node',
    file: at('phases'),
    find: 'draft.labels = { ...draft.labels, [labels.nodeName]: nodeOf(pod) };',
    replace: '',
    noticedBy: unit('kubevirt/vmi/status.test.ts'),
  },
  {
    name: 'a VMI whose pod vanishes goes on',
    file: at('phases'),
    find: "draft.status.phase = 'Failed';\n    return;\n  }\n  describeDevices(",
    replace: 'return;\n  }\n  describeDevices(',
    noticedBy: scenarios('vm/pod-vanishes'),
  },
  {
    name: 'a VMI that has ended goes before its pods',
    file: at('phases'),
    find: 'if (scene.pods.length === 0) {',
    replace: 'if (true) {',
    noticedBy: unit('kubevirt/vmi/status.test.ts'),
  },
  {
    name: 'the finalizer of the VM stays on a VMI without one',
    file: at('phases'),
    find: 'if (!scene.hasOwnerVm) dropFinalizer(draft, finalizers.vm);\n}\n\n/** The receiving',
    replace: '}\n\n/** The receiving',
    noticedBy: unit('kubevirt/vmi/status.test.ts'),
  },
  {
    name: 'the label of the machine is no host name',
    file: at('launcher/metadata'),
    find: '[labels.vmName]: hostnameOf(vmi),',
    replace: "[labels.vmName]: metadata.name ?? '',",
    noticedBy: unit('kubevirt/vmi/launcher/metadata.test.ts'),
  },
  {
    name: 'every vCPU requests a whole CPU',
    file: at('launcher/resources'),
    find: 'const share = cpus / cpuAllocationRatio;',
    replace: 'const share = cpus;',
    noticedBy: unit('kubevirt/vmi/launcher/resources.test.ts'),
  },
  {
    name: 'a plugged volume is not told to be at the node',
    file: at('volume-status'),
    find: "phase: 'AttachedToNode'",
    replace: "phase: 'Bound'",
    noticedBy: unit('kubevirt/vmi/hotplug.test.ts'),
  },
  {
    name: 'a volume that is declared is not plugged',
    file: at('sync'),
    find: 'if (plan.attach !== undefined && ',
    replace: 'if (false && ',
    noticedBy: scenarios('storage/hotplug-declarative'),
  },
  {
    name: 'an attachment pod that is not up yet is overtaken',
    file: at('hotplug'),
    find: 'ready.length > 0 && settled ?',
    replace: 'ready.length > 0 ?',
    noticedBy: unit('kubevirt/vmi/hotplug.test.ts'),
  },
];
