/**
 * Match conditions in CEL that keep requests of KubeVirt itself from the webhooks of virt-api, where these would always
 * allow them. KubeVirt's own webhooks have no such conditions. Here most writes come from components in the same
 * process as the server, and the webhook call would cost more than the write.
 */
import { kubeVirtAccounts, virtHandlerAccount } from './service-accounts.ts';

type Conditions = Readonly<Record<string, string>>;

const NAME = 'not-kubevirt-itself';
const SAME_SPEC = 'has(object.spec) && has(oldObject.spec) && object.spec == oldObject.spec';

const isOneOf = (accounts: readonly string[]): string => `request.userInfo.username in ${JSON.stringify(accounts)}`;

export const exceptByKubeVirt = (namespace: string): Conditions => ({
  [NAME]: `!(${isOneOf(kubeVirtAccounts(namespace))})`,
});

export const exceptUpdatesByKubeVirt = (namespace: string): Conditions => ({
  [NAME]: `request.operation != "UPDATE" || !(${isOneOf(kubeVirtAccounts(namespace))})`,
});

export const exceptOutsideOfSpecByKubeVirt = (namespace: string): Conditions => ({
  [NAME]: `request.operation != "UPDATE" || !(${isOneOf(kubeVirtAccounts(namespace))}) || !(${SAME_SPEC})`,
});

/** The webhook must check virt-handlers: each may write only the VMIs of its own node. */
export const exceptByKubeVirtButNodes = (namespace: string): Conditions => ({
  [NAME]: `!(${isOneOf(kubeVirtAccounts(namespace).filter((account) => account !== virtHandlerAccount(namespace)))})`,
});
