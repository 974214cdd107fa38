/** Whether KubeVirt runs in a cluster, according to its own `KubeVirt` objects. */
import type { KubeObject } from '@ssvirt/kube/object';
import type { ResourceType } from '@ssvirt/kube/resource-type';
import { reasons } from '../kubevirtconfig/reasons.ts';
import type { CheckResult } from './check-result.ts';

export interface KubeVirt extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly observedKubeVirtVersion?: string;
    readonly conditions?: readonly {
      readonly type?: string;
      readonly status?: string;
      readonly reason?: string;
      readonly message?: string;
    }[];
  };
}

export const kubeVirts: ResourceType<KubeVirt> = {
  group: 'kubevirt.io',
  version: 'v1',
  kind: 'KubeVirt',
  plural: 'kubevirts',
  namespaced: true,
};

export interface KubeVirtFinding extends CheckResult {
  readonly version?: string;
}

/** `installations` are all of them, in any namespace; undefined if the kind is not served. */
export function judgeKubeVirt(installations: readonly KubeVirt[] | undefined): KubeVirtFinding {
  if (installations === undefined)
    return missing('the cluster does not serve kubevirts.kubevirt.io: install KubeVirt there');
  const [first] = installations;
  if (first === undefined)
    return missing('there is no KubeVirt object in any namespace: create one, or install KubeVirt');
  const ready = installations.find((one) => availability(one)?.status === 'True');
  const version = (ready ?? first).status?.observedKubeVirtVersion?.slice(0, 100);
  const known = version === undefined || version === '' ? {} : { version };
  if (ready !== undefined)
    return { status: 'True', reason: reasons.available, message: `KubeVirt ${version ?? ''} is available`, ...known };
  return { status: 'False', reason: reasons.notAvailable, message: notAvailable(first), ...known };
}

function availability(kubeVirt: KubeVirt): { status?: string; message?: string } | undefined {
  return kubeVirt.status?.conditions?.find(({ type }) => type === 'Available');
}

function notAvailable(kubeVirt: KubeVirt): string {
  const name = `${kubeVirt.metadata.namespace}/${kubeVirt.metadata.name}`;
  const why = availability(kubeVirt)?.message ?? `its phase is ${kubeVirt.status?.phase ?? 'not set'}`;
  return `KubeVirt "${name}" is not available: ${why}. Check its conditions and the pods in its namespace`;
}

function missing(why: string): KubeVirtFinding {
  return { status: 'False', reason: reasons.notInstalled, message: `KubeVirt is not installed: ${why}` };
}
