/** The migration settings of the KubeVirt object, with KubeVirt's own defaults. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import { numberAt, objectAt, textAt } from '../../../objects/kinds/values/fields.ts';

const defaults: JsonObject = {
  allowAutoConverge: false,
  allowPostCopy: false,
  allowWorkloadDisruption: false,
  bandwidthPerMigration: '0',
  completionTimeoutPerGiB: 150,
  maxDowntimeMs: 900,
  nodeDrainTaintKey: 'kubevirt.io/drain',
  parallelMigrationsPerCluster: 5,
  parallelOutboundMigrationsPerNode: 2,
  progressTimeout: 150,
  unsafeMigrationOverride: false,
  utilityVolumesTimeout: 150,
};

export interface MigrationConfiguration {
  /** The form in which it is written into the VMI. */
  readonly whole: JsonObject;
  readonly perCluster: number;
  readonly perNode: number;
  readonly drainTaint: string;
  readonly matchesSelinuxLevel: boolean;
}

export function migrationConfiguration(kubeVirt: Unstructured | undefined): MigrationConfiguration {
  const configuration = objectAt(objectAt(kubeVirt as unknown as JsonObject | undefined, 'spec'), 'configuration');
  const whole = { ...defaults, ...objectAt(configuration, 'migrations') };
  return {
    whole,
    perCluster: numberAt(whole, 'parallelMigrationsPerCluster'),
    perNode: numberAt(whole, 'parallelOutboundMigrationsPerNode'),
    drainTaint: textAt(whole, 'nodeDrainTaintKey'),
    matchesSelinuxLevel: whole['matchSELinuxLevelOnMigration'] !== false,
  };
}
