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
    file: 'packages/sandbox/src/simulators/cdi/conditions.ts',
    source: "{ status: 'False', reason: 'TransferRunning' }",
    replacement: "{ status: 'True', reason: 'TransferRunning' }",
    why: 'a DataVolume is ready while it is being filled',
    noticedBy: { file: 'packages/sandbox/src/simulators/cdi/status.test.ts' },
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
];
