/** The accounts of KubeVirt's own components, which may do what users may not. */
import type { ReviewRequest } from '../../serving/contracts.ts';

const VIRT_HANDLER = 'kubevirt-handler';
const COMPONENTS = ['kubevirt-apiserver', VIRT_HANDLER, 'kubevirt-controller', 'kubevirt-synchronization-controller'];
const NODE_NAME = 'authentication.kubernetes.io/node-name';

const accountOf = (component: string, namespace: string): string => `system:serviceaccount:${namespace}:${component}`;

export const kubeVirtAccounts = (namespace: string): readonly string[] =>
  COMPONENTS.map((component) => accountOf(component, namespace));

export function isKubeVirt({ userInfo }: ReviewRequest, namespace: string): boolean {
  return COMPONENTS.some((component) => userInfo.username === accountOf(component, namespace));
}

export const virtHandlerAccount = (namespace: string): string => accountOf(VIRT_HANDLER, namespace);

export const isVirtHandler = ({ userInfo }: ReviewRequest, namespace: string): boolean =>
  userInfo.username === virtHandlerAccount(namespace);

/** `nodeOf` is the node to which the caller's token is bound. */
export const nodeOf = (request: ReviewRequest): string | undefined => request.userInfo.extra?.[NODE_NAME]?.[0];
