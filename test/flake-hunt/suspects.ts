/**
 * Test files that have failed in CI without a defect of the product. A file stays here: its cause may have a sibling.
 */
export const suspects: readonly string[] = [
  'bench/machine/smoke.suite.ts',
  'packages/ssvirt/src/api/tasks/waiter.test.ts',
  'packages/ssvirt/src/controllers/machine/machine.test.ts',
  'test/cloudkit/many.suite.ts',
  'test/cloudkit/order-cli.suite.ts',
  'test/cloudkit/removal.suite.ts',
  'test/crash/kill.suite.ts',
  'test/database/upgrade/upgrade.suite.ts',
  'test/docs/servers-0.suite.ts',
  'test/docs/servers-1.suite.ts',
  'test/e2e/e2e.suite.ts',
  'test/kubeconfig-cli/machine.suite.ts',
  'test/kubectl/kubectl.suite.ts',
  'test/leadership/processes.test.ts',
  'test/machine-operator/bad-specs/bad-specs.suite.ts',
  'test/vms/power-states.test.ts',
  'test/rbac/machine-operator.suite.ts',
  'test/tenancy/crash/vms/controller.suite.ts',
  'test/tenancy/crash/vms/vms.suite.ts',
];
