/** The status that the operators report for KubeVirt and CDI. */
import type { Unstructured } from '@ssvirt/kube/object';
import type { JsonObject } from '../../../values/json.ts';
import type { Condition } from '../objects.ts';
import { CDI_VERSION, KUBEVIRT_VERSION } from './workloads.ts';
import { condition, timed } from './workload-status.ts';

const REGISTRY = 'kubevirt';
/** The hash of the configuration by which the operator identifies an installation. */
const DEPLOYMENT_ID = '3f1c6e2b5a9d4087c1e6f0b2d7a8954e6c3d1f20';

export interface KubeVirtStatus {
  readonly [field: string]: unknown;
  readonly phase: string;
  readonly conditions: readonly Condition[];
}

export function kubevirtStatus(
  kubevirt: Unstructured,
  { ready, generations }: { readonly ready: boolean; readonly generations: readonly JsonObject[] },
  now: string,
): KubeVirtStatus {
  const config = JSON.stringify({
    id: DEPLOYMENT_ID,
    namespace: kubevirt.metadata.namespace,
    registry: REGISTRY,
    kubeVirtVersion: KUBEVIRT_VERSION,
  });
  return {
    phase: 'Deployed',
    conditions: timed(kubevirtConditions(ready), conditionsOf(kubevirt), now, 'lastProbeTime'),
    operatorVersion: KUBEVIRT_VERSION,
    targetKubeVirtVersion: KUBEVIRT_VERSION,
    targetKubeVirtRegistry: REGISTRY,
    targetDeploymentID: DEPLOYMENT_ID,
    targetDeploymentConfig: config,
    observedKubeVirtVersion: KUBEVIRT_VERSION,
    observedKubeVirtRegistry: REGISTRY,
    observedDeploymentID: DEPLOYMENT_ID,
    observedDeploymentConfig: config,
    observedGeneration: kubevirt.metadata.generation ?? 1,
    defaultArchitecture: 'amd64',
    outdatedVirtualMachineInstanceWorkloads: 0,
    generations,
  };
}

function kubevirtConditions(ready: boolean): readonly Condition[] {
  const created = condition('Created', 'True', 'AllResourcesCreated', 'All resources were created.');
  const state: readonly [reason: string, message: string] = ready
    ? ['AllComponentsReady', 'All components are ready.']
    : ['DeploymentInProgress', `Deploying version ${KUBEVIRT_VERSION} with registry ${REGISTRY}`];
  return [
    condition('Available', ready ? 'True' : 'False', ...state),
    condition('Progressing', ready ? 'False' : 'True', ...state),
    condition('Degraded', ready ? 'False' : 'True', ...state),
    created,
  ];
}

export function cdiStatus(cdi: Unstructured, ready: boolean, now: string): KubeVirtStatus {
  const conditions = [
    ready
      ? condition('Available', 'True', 'DeployCompleted', 'Deployment Completed')
      : condition('Available', 'False', 'DeployStarted', 'Started Deployment'),
    condition('Progressing', ready ? 'False' : 'True', '', ''),
    condition('Degraded', ready ? 'False' : 'True', '', ''),
  ];
  return {
    phase: 'Deployed',
    conditions: timed(conditions, conditionsOf(cdi), now, 'lastHeartbeatTime'),
    operatorVersion: CDI_VERSION,
    targetVersion: CDI_VERSION,
    observedVersion: CDI_VERSION,
  };
}

function conditionsOf(object: Unstructured): readonly Condition[] {
  const { conditions } = (object['status'] ?? {}) as { readonly conditions?: readonly Condition[] };
  return conditions ?? [];
}
