/** Who writes: KubeVirt's own components may do what users may not. */
import type { AdmissionRequest } from '../../serving/contracts.ts';

const COMPONENTS = [
  'kubevirt-apiserver',
  'kubevirt-handler',
  'kubevirt-controller',
  'kubevirt-synchronization-controller',
];
const NODE_NAME = 'authentication.kubernetes.io/node-name';

export function isKubeVirt(request: AdmissionRequest, namespace: string): boolean {
  const { username } = request.userInfo;
  return COMPONENTS.some((component) => username === `system:serviceaccount:${namespace}:${component}`);
}

export const isVirtHandler = (request: AdmissionRequest, namespace: string): boolean =>
  request.userInfo.username === `system:serviceaccount:${namespace}:kubevirt-handler`;

/** The node that the caller's token is bound to. */
export const nodeOf = (request: AdmissionRequest): string | undefined => request.userInfo.extra?.[NODE_NAME]?.[0];
