/** KubeVirt: the installation itself. */
import { KUBEVIRT_V1ALPHA3, AGE, PHASE, define, type CustomResourceDefinition } from './definition.ts';
import { kubevirtConditions } from './conditions.ts';
import { atomicTexts, flag, int64, open, text } from './schema.ts';

export const kubevirt: CustomResourceDefinition = define({
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
  description: 'The installation of KubeVirt in this cluster: its version, its configuration, and how it is.',
  spec: open('What should be installed.', {
    imageTag: text('The version to install; that of the operator where nothing is said.'),
    imageRegistry: text('Where images come from.'),
    imagePullPolicy: text('Always, IfNotPresent or Never.'),
    uninstallStrategy: text(
      'When this object is deleted while machines exist: BlockUninstallIfWorkloadsExist or RemoveWorkloads.',
    ),
    configuration: open('How KubeVirt works.', {
      developerConfiguration: open('Less common settings.', {
        featureGates: atomicTexts('Features that are switched on.'),
        useEmulation: flag('Guests run without hardware support, slowly.'),
        cpuAllocationRatio: {
          type: 'integer',
          description: 'Virtual CPUs for each CPU that is asked of a node; 10 unless said.',
        },
      }),
      evictionStrategy: text('That of machines that do not say.'),
      cpuModel: text('That of machines that do not say.'),
      defaultRuntimeClass: text('The runtime class of launcher pods.'),
      vmRolloutStrategy: text('How changes of a running machine get to it: LiveUpdate (the default) or Stage.'),
      network: open('Networks.', {
        defaultNetworkInterface: text('The binding where a machine names no interface: bridge or masquerade.'),
      }),
      migrations: open('Live migrations.'),
    }),
    workloadUpdateStrategy: open('What happens to running machines when KubeVirt is updated.'),
    certificateRotateStrategy: open('When certificates are renewed.'),
    infra: open('Where the components run.'),
    workloads: open('Where machines run.'),
  }),
  status: open('How the installation is.', {
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
      description: 'Instances that run in an older version.',
    },
    defaultArchitecture: text('The architecture of machines that do not say.'),
  }),
});
