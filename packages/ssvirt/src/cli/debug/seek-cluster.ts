/** Searches the cluster of the kubeconfig for a Machine or an order with the given name. */
import { defined } from '@ssvirt/base/values/defined';
import { isKind, isNotFound } from '@ssvirt/kube/errors';
import type { KubeObject } from '@ssvirt/kube/object';
import { resourceName, type ResourceType } from '@ssvirt/kube/resource-type';
import type { Connected } from '../cluster/connect.ts';
import { placeWords, type OriginMatch, type VmOrigin, type OriginSearch } from './place.ts';

export interface ClusterQuestion {
  readonly place: Exclude<VmOrigin, 'vm'>;
  readonly type: ResourceType<KubeObject>;
  readonly name: string;
  /** Searches only this namespace; all namespaces if undefined. */
  readonly namespace: string | undefined;
}

const deadlineMs = 20_000;
/** Matches every possible object name in a cluster. Any other name can only be a tenant's VM. */
const objectName = /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/;

export async function seekInCluster(
  { client, where, namespace: own }: Connected,
  question: ClusterQuestion,
): Promise<OriginSearch> {
  const { place, type, name, namespace } = question;
  const signal = AbortSignal.timeout(deadlineMs);
  const within = async (scope: string | undefined): Promise<OriginSearch> => {
    const at = scope === undefined ? `all namespaces of ${where}` : `namespace "${scope}" of ${where}`;
    const fieldSelector = `metadata.name=${name}`;
    const options = { fieldSelector, metadataOnly: true, signal, ...defined({ namespace: scope }) };
    try {
      const { items } = await client.list(type, options);
      return { place, at, found: items.map((item) => candidate(place, item)) };
    } catch (error) {
      if (isNotFound(error))
        return { place, at, found: [], unasked: `the cluster does not serve ${placeWords[place]}s` };
      if (!isKind(error, 'Forbidden')) throw error;
      const unasked = `you have no permission to list ${resourceName(type)} there`;
      return { place, at, found: [], unasked };
    }
  };
  if (!objectName.test(name)) return { place, at: where, found: [] };
  if (namespace !== undefined) return within(namespace);
  const everywhere = await within(undefined);
  // A user who may not list all namespaces may still list the one of the context.
  return everywhere.unasked === undefined ? everywhere : within(own);
}

function candidate(place: VmOrigin, { metadata: { name = '', namespace = '' } }: KubeObject): OriginMatch {
  return { place, name, where: `namespace "${namespace}"`, id: { namespace } };
}
