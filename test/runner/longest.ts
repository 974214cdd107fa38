/** Which files are started first, so that no long one is left for the end, when the other cores have nothing to do. */
import { dirname } from 'node:path';

/** Those that take the longest, about, in an order in which those that want the processor stand beside those that wait. A wrong one costs some seconds. */
export const longest: readonly string[] = [
  'packages/ssvirt/src/controllers/vm-status/vm-status.test.ts',
  'packages/ssvirt/src/controllers/machine/clusters.test.ts',
  'test/runtime/sandbox.test.ts',
  'test/leadership/processes.test.ts',
  'packages/ssvirt/src/controllers/tenancy/vms/vms.test.ts',
  'packages/sandbox/src/cli/command.test.ts',
  'test/simulators/cdi.test.ts',
  'test/api/authorization/authorization.test.ts',
  'test/vms/many.test.ts',
  'test/runtime/fault-matrix.test.ts',
  'packages/ssvirt/src/processes/api-server/http-server.test.ts',
  'packages/sandbox/src/simulators/kubevirt/migration/simulator.test.ts',
  'packages/sandbox/src/simulators/command.test.ts',
  'test/vms/power-states.test.ts',
  'test/runner/runner.test.ts',
  'test/fleet/reporters.test.ts',
  'packages/ssvirt/src/controllers/machine/placement/adoption.test.ts',
  'test/kubevirt/subresources.test.ts',
  'packages/ssvirt/src/controllers/machine/machine.test.ts',
  'test/fleet/five-clusters.test.ts',
  'test/fleet/status.test.ts',
  'test/cloudkit/dual-mode.test.ts',
  'packages/ssvirt/src/controllers/tenancy/vapps/vapps.test.ts',
  'test/conformance/sandbox.test.ts',
  'test/vm-status/behaviour.test.ts',
  'test/crash/kill.test.ts',
  'test/simulators/property.test.ts',
  'test/crash/start.test.ts',
  'test/runtime/model.test.ts',
  'test/fuzz/requests.test.ts',
  'test/api/fuzz/fuzz.test.ts',
  'packages/ssvirt/src/processes/api-server/process.test.ts',
  'packages/ssvirt/src/db/embedded/embedded.test.ts',
  'test/faults/command.test.ts',
  'test/e2e/rights.suite.ts',
  'test/processes/make-run.suite.ts',
  'test/docs/servers-2.suite.ts',
  'test/story/story.suite.ts',
  'test/tenancy/crash/vms/vms.suite.ts',
  'test/tenancy/crash/crash.suite.ts',
  'test/e2e/e2e.suite.ts',
  'test/rbac/machine-operator.suite.ts',
  'test/docs/servers-0.suite.ts',
  'test/cli/more.suite.ts',
  'test/rbac/api-server.suite.ts',
  'test/runtime/real.suite.ts',
  'test/processes/dev.suite.ts',
  'test/machine-operator/chaos/crash.suite.ts',
  'test/machine-operator/seeds.suite.ts',
  'test/cloudkit/crash.suite.ts',
  'test/rbac/vm-controller.suite.ts',
  'test/cloudkit/dual-mode.suite.ts',
  'test/tenancy/crash/vms/outage.suite.ts',
  'test/tenancy/upgrade-rights.suite.ts',
  'test/database/upgrade/upgrade.suite.ts',
  'bench/cloudkit/smoke.suite.ts',
  'test/vm-status/behaviour.suite.ts',
  'test/chart/install.suite.ts',
  'test/simulators/tour.suite.ts',
  'test/leadership/real.suite.ts',
  'test/docs/clusters.suite.ts',
  'test/rbac/cloudkit-operator.suite.ts',
  'test/kubectl/kubectl.suite.ts',
  'bench/machine/smoke.suite.ts',
  'test/conformance/real.suite.ts',
  'test/tenancy/crash/outage.suite.ts',
  'test/cloudkit/many.suite.ts',
  'test/tenancy/crash/vms/controller.suite.ts',
  'test/kubevirt/real.suite.ts',
  'test/simulators/property.suite.ts',
  'test/crash/kill.suite.ts',
  'test/docs/servers-1.suite.ts',
  'test/cli/cli.suite.ts',
  'test/kubeconfig-cli/machine.suite.ts',
  'test/simulators/faults.suite.ts',
  'test/cloudkit/story.suite.ts',
  'test/tenancy/rbac.suite.ts',
  'test/simulators/templates.suite.ts',
  'test/machine-operator/bad-specs/bad-specs.suite.ts',
  'test/kubevirt/scenarios.suite.ts',
  'test/runtime/fault-matrix.suite.ts',
  'test/fuzz/requests.suite.ts',
  'test/simulators/life.suite.ts',
  'test/vm-status/leaders.suite.ts',
  'test/machine-operator/chaos/chaos.suite.ts',
  'test/machine-operator/chaos/hang.suite.ts',
];

/**
 * The areas of the other files stand the other way round: those of `test`, which take longer, before the packages, and
 * of these the small ones last.
 */
export function longestFirst(files: readonly string[]): readonly string[] {
  const first = longest.filter((file) => files.includes(file));
  const others = files.filter((file) => !longest.includes(file));
  return [...first, ...others.toSorted((one, other) => areaOf(other).localeCompare(areaOf(one)))];
}

/** Files of one area load the same code. */
export function areaOf(file: string): string {
  return dirname(file).split('/').slice(0, 2).join('/');
}
