/**
 * Whom the webhooks of virt-api need not be asked about, in CEL: KubeVirt itself, where they would allow whatever it does. KubeVirt's own webhooks
 * have no such conditions. Here most writes are by components that stand beside the server, so that asking would cost more than writing.
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

/** A virt-handler may write only what is on its node. */
export const exceptByKubeVirtButNodes = (namespace: string): Conditions => ({
  [NAME]: `!(${isOneOf(kubeVirtAccounts(namespace).filter((account) => account !== virtHandlerAccount(namespace)))})`,
});
