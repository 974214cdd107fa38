/** Which files are started first, so that no long one is left for the end, when the other cores have nothing to do. */

/** Those that take the longest, about, in an order in which those that want the processor stand beside those that wait. A wrong one costs some seconds. */
export const longest: readonly string[] = [
  'test/docs/servers-1.test.ts',
  'test/vm-status/leaders.test.ts',
  'test/runtime/fault-matrix.test.ts',
  'test/docs/servers-2.test.ts',
  'test/vm-status/chaos.test.ts',
  'test/leadership/processes.test.ts',
  'test/docs/servers-3.test.ts',
  'test/tenancy/crash/outage.test.ts',
  'test/runtime/sandbox.test.ts',
  'src/processes/dev/dev.test.ts',
  'test/tenancy/crash/crash.test.ts',
  'test/conformance/sandbox.test.ts',
  'test/vm-status/behaviour.test.ts',
  'test/simulators/cdi.test.ts',
  'test/api/authorization/authorization.test.ts',
  'test/simulators/faults.test.ts',
  'test/kubevirt/scenarios.test.ts',
  'src/sandbox/command.test.ts',
  'src/sandbox/simulators/command.test.ts',
  'test/crash/kill.test.ts',
  'test/simulators/property.test.ts',
  'test/crash/start.test.ts',
  'src/sandbox/simulators/kubevirt/migration/simulator.test.ts',
  'test/runtime/model.test.ts',
  'test/fuzz/requests.test.ts',
  'test/api/fuzz/fuzz.test.ts',
  'test/kubevirt/subresources.test.ts',
  'src/processes/api-server/process.test.ts',
  'test/fleet/five-clusters.test.ts',
  'src/db/embedded/embedded.test.ts',
  'test/faults/command.test.ts',
  'test/runner/runner.test.ts',
  'test/tenancy/crash/outage.suite.ts',
  'test/tenancy/crash/crash.suite.ts',
  'test/kubectl/kubectl.suite.ts',
  'test/conformance/real.suite.ts',
  'test/runtime/real.suite.ts',
  'test/crash/kill.suite.ts',
  'test/simulators/property.suite.ts',
  'test/runtime/fault-matrix.suite.ts',
  'test/runtime/fault-matrix-sandbox.suite.ts',
  'test/leadership/real.suite.ts',
  'test/simulators/life.suite.ts',
];

export function longestFirst(files: readonly string[]): readonly string[] {
  const first = longest.filter((file) => files.includes(file));
  return [...first, ...files.filter((file) => !longest.includes(file))];
}
