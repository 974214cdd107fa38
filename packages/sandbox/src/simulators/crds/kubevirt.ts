/** KubeVirt: the installation itself. */
import { KUBEVIRT_V1ALPHA3, AGE, PHASE, define, type InstalledDefinition } from './definition.ts';
import { kubevirtConditions } from './conditions.ts';
import { atomicTexts, flag, int64, open, text } from './schema.ts';

export const kubevirt: InstalledDefinition = define({
  group: 'kubevirt.io',
  versions: ['v1'],
  deprecated: KUBEVIRT_V1ALPHA3,
  kind: 'KubeVirt',
  plural: 'kubevirts',
  shortNames: ['kv', 'kvs'],
  inAll: true,
  hasStatus: true,
  columns: [AGE, PHASE],
  labels: { 'operator.kubevirt.io': '' },
  description: 'The installation of KubeVirt in this cluster: its version, configuration and status.',
  spec: open('The requested installation.', {
    imageTag: text("The version to install. Default: the operator's."),
    imageRegistry: text('Where images come from.'),
    imagePullPolicy: text('Always, IfNotPresent or Never.'),
    uninstallStrategy: text(
      'What happens if this object is deleted while VMs exist: BlockUninstallIfWorkloadsExist or RemoveWorkloads.',
    ),
    configuration: open('The configuration of KubeVirt.', {
      developerConfiguration: open('Less common settings.', {
        featureGates: atomicTexts('Enabled features.'),
        useEmulation: flag('Guests run without hardware support, slowly.'),
        cpuAllocationRatio: {
          type: 'integer',
          description: 'Virtual CPUs for each CPU that is requested of a node. Default: 10.',
        },
      }),
      evictionStrategy: text('The eviction strategy of VMs that set none.'),
      cpuModel: text('The CPU model of VMs that set none.'),
      defaultRuntimeClass: text('The runtime class of launcher pods.'),
      vmRolloutStrategy: text('How changes are applied to a running VM: LiveUpdate (the default) or Stage.'),
      network: open('Networks.', {
        defaultNetworkInterface: text('The binding of VMs without interfaces: bridge or masquerade.'),
      }),
      migrations: open('Live migrations.'),
    }),
    workloadUpdateStrategy: open('What happens to running VMs when KubeVirt is updated.'),
    certificateRotateStrategy: open('When certificates are renewed.'),
    infra: open('Where the components run.'),
    workloads: open('Where VMs run.'),
  }),
  status: open('The status of the installation.', {
    phase: text('Deploying, Deployed, Deleting or Deleted.'),
    conditions: kubevirtConditions(),
    operatorVersion: text('The version of the operator.'),
    targetKubeVirtVersion: text('The version that should be installed.'),
    targetKubeVirtRegistry: text('Where its images come from.'),
    targetDeploymentID: text('What identifies the wanted installation.'),
    targetDeploymentConfig: text('The wanted installation, as JSON.'),
    observedKubeVirtVersion: text('The version that is installed.'),
    observedKubeVirtRegistry: text('Where its images came from.'),
    observedDeploymentID: text('What identifies the installation.'),
    observedDeploymentConfig: text('The installation, as JSON.'),
    observedGeneration: int64('The generation of this object that was seen.'),
    outdatedVirtualMachineInstanceWorkloads: {
      type: 'integer',
      description: 'The number of instances that run in an older version.',
    },
    defaultArchitecture: text('The architecture of VMs that set none.'),
  }),
});
