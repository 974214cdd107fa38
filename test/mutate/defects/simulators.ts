/** Defects of the simulated KubeVirt, CDI and OpenShift templates. */
import type { Defect } from '../defect.ts';

export const simulators: readonly Defect[] = [
  {
    file: 'packages/sandbox/src/simulators/kubevirt/admission/eviction.ts',
    source: "if (strategy === 'LiveMigrate' && movable !== true) {",
    replacement: 'if (false) {',
    why: 'an eviction ends a VM that cannot be migrated',
    noticedBy: { file: 'packages/sandbox/src/simulators/kubevirt/admission/webhooks.test.ts' },
  },
  {
    file: 'packages/sandbox/src/simulators/kubevirt/subresources/negotiation.ts',
    source: 'type === anyType || produces.includes(type)',
    replacement: "type === anyType || produces.includes(type) || type === 'application/json'",
    why: 'a subresource answers a client that accepts JSON only',
    noticedBy: { file: 'packages/sandbox/src/simulators/kubevirt/subresources/negotiation.test.ts' },
    ci: true,
  },
  {
    file: 'packages/sandbox/src/simulators/kubevirt/subresources/api.ts',
    source: 'negotiate(route.contents, call.request) ??',
    replacement: '',
    why: 'virt-api does not negotiate content',
    noticedBy: {
      file: 'test/simulators/life.test.ts',
      only: [
        'virt-api refuses a client that does not accept any type, in front of its handlers and without a Status',
        'a machine that is created runs: its disk, its instance, its pod, and what is said about them',
      ],
    },
  },
  {
    file: 'packages/sandbox/src/simulators/kubevirt/instancetypes/revisions.ts',
    source: '-${uid}-${generation}`',
    replacement: '-${uid}-1`',
    why: 'an instance type that was changed keeps its revision',
    noticedBy: { file: 'packages/sandbox/src/simulators/kubevirt/instancetypes/revisions.test.ts' },
  },
  {
    file: 'packages/sandbox/src/simulators/cdi/conditions.ts',
    source: "{ status: 'False', reason: 'TransferRunning' }",
    replacement: "{ status: 'True', reason: 'TransferRunning' }",
    why: 'a DataVolume is ready while it is being filled',
    noticedBy: { file: 'packages/sandbox/src/simulators/cdi/status.test.ts' },
  },
  {
    file: 'packages/sandbox/src/simulators/templates/process.ts',
    source: "if (parameter['required'] !== true) return { parameter };",
    replacement: 'return { parameter };',
    why: 'a required parameter of a template may be empty',
    noticedBy: { file: 'packages/sandbox/src/simulators/templates/process.test.ts' },
  },
  {
    file: 'packages/sandbox/src/simulators/templates/instances/controller.ts',
    source: '(await Promise.all((status?.objects ?? []).map(({ ref }) => this.#delete(ref)))).flat();',
    replacement: 'status === null ? ["" as string] : [];',
    why: 'a TemplateInstance that is deleted leaves its objects',
    noticedBy: {
      file: 'test/simulators/templates.test.ts',
      only: [
        'an instance creates the objects with the values of a Secret, and takes them along when it goes',
        'a template is processed, and nothing is kept',
      ],
    },
  },
  {
    file: 'packages/sandbox/src/simulators/kubevirt/vm/run-strategy.ts',
    source: 'return hasStopRequestFor(vm, vmi) || isFinal(vmi) ? stop : nothing;',
    replacement: 'return hasStopRequestFor(vm, vmi) ? stop : nothing;',
    why: 'a VM that runs always is not started again when its guest ends',
    noticedBy: { file: 'packages/sandbox/src/simulators/kubevirt/vm/run-strategy.test.ts' },
  },
  {
    file: 'packages/sandbox/src/simulators/kubevirt/vm/run-strategy.ts',
    source: 'if (vmi !== undefined) return stop;',
    replacement: 'if (vmi !== undefined) return nothing;',
    why: 'a halted VM keeps running',
    noticedBy: { file: 'packages/sandbox/src/simulators/kubevirt/vm/run-strategy.test.ts' },
  },
  {
    file: 'packages/sandbox/src/simulators/kubevirt/vm/state-change.ts',
    source: 'head.uid !== undefined && head.uid === vmi.metadata.uid;',
    replacement: 'head.uid !== undefined;',
    why: 'a stop request for an earlier VMI stops the present one',
    noticedBy: { file: 'packages/sandbox/src/simulators/kubevirt/vm/run-strategy.test.ts' },
    ci: true,
  },
  {
    file: 'packages/sandbox/src/simulators/kubevirt/vm/sync.ts',
    source: "if (vmi === undefined || hasFinalizer(vm, 'orphan'))",
    replacement: 'if (vm !== undefined)',
    why: 'a VM goes before its VMI',
    noticedBy: { file: 'packages/sandbox/src/simulators/kubevirt/vm/simulator.test.ts' },
  },
  {
    file: 'packages/sandbox/src/simulators/kubevirt/vm/volumes/claims.ts',
    source: "return leaving ? 'foreign' : 'orphan';",
    replacement: "return 'foreign';",
    why: 'a VMI without an owner is not adopted by its VM',
    noticedBy: { file: 'packages/sandbox/src/simulators/kubevirt/vm/simulator.test.ts' },
  },
  {
    file: 'packages/sandbox/src/simulators/kubevirt/vmi/ready.ts',
    source: "if (status?.phase !== 'Running') return",
    replacement: 'if (false) return',
    why: 'a VMI is ready before its guest runs',
    noticedBy: { file: 'packages/sandbox/src/simulators/kubevirt/vmi/status.test.ts' },
  },
];
