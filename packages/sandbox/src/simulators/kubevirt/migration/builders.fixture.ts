/** Builders of migrations for tests, and of the objects that a decision depends on. */
import type { Pod, VirtualMachineInstanceMigration } from '../objects.ts';
import { NOW, podOf, vmiOf } from '../vmi/builders.fixture.ts';
import type { MigrationScene } from './decide.ts';
import { FINALIZER, labels } from './names.ts';
import type { MigrationState, Phase } from './state.ts';

interface MigrationParts {
  readonly phase?: Phase;
  readonly metadata?: VirtualMachineInstanceMigration['metadata'];
  readonly status?: VirtualMachineInstanceMigration['status'];
  readonly spec?: VirtualMachineInstanceMigration['spec'];
}

export function migrationOf({
  phase = '',
  metadata,
  status,
  spec,
}: MigrationParts = {}): VirtualMachineInstanceMigration {
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceMigration',
    metadata: { name: 'mig1', namespace: 'ns1', uid: 'mig-uid', finalizers: [FINALIZER], ...metadata },
    spec: { vmiName: 'vm1', ...spec },
    ...(phase === '' && status === undefined ? {} : { status: { ...(phase === '' ? {} : { phase }), ...status } }),
  };
}

/** The state that virt-controller writes into a VMI when the target is up, with additions of the virt-handlers. */
export const stateWith = (more: MigrationState = {}): MigrationState => ({
  migrationUid: 'mig-uid',
  sourceNode: 'node01',
  targetNode: 'node02',
  targetPod: 'virt-launcher-vm1-b',
  ...more,
});

export const runningOn = (nodeName: string, migrationState?: MigrationState): MigrationScene['vmi'] =>
  vmiOf({
    status: {
      phase: 'Running',
      nodeName,
      selinuxContext: 'none',
      ...(migrationState === undefined ? {} : { migrationState: migrationState as never }),
    },
  });

export function launcherOf(status: Pod['status'], metadata: Pod['metadata'] = {}): Pod {
  return podOf({
    metadata: { name: 'virt-launcher-vm1-b', labels: { [labels.job]: 'mig-uid' }, ...metadata },
    ...(status === undefined ? {} : { status }),
  });
}

export const up: Pod['status'] = {
  phase: 'Running',
  containerStatuses: [{ name: 'compute', ready: true, state: { running: {} } }],
};

export const sceneOf = (parts: Partial<MigrationScene>): MigrationScene => ({
  migration: migrationOf(),
  vmi: runningOn('node01'),
  target: undefined,
  source: undefined,
  needsAttachment: false,
  attachment: undefined,
  isTaken: false,
  error: undefined,
  now: NOW,
  ...parts,
});
