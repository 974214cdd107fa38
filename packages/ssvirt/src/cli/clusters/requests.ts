import type { Schemas } from '@ssvirt/api-client/client';
import type { ApiClient } from '../api/client.ts';
import { dataOf } from '../api/data-of.ts';
import { listOf } from '../api/pages.ts';
import { Refusal } from '../api/refusal.ts';
import { exitCodes } from '../output/exit-code.ts';
import { CliFailure } from '../output/failure.ts';

export function listClusters(client: ApiClient): Promise<readonly Schemas['Cluster'][]> {
  return listOf(client, (api, query) => dataOf(api.GET('/cloudapi/1.0.0/clusters', { params: { query } })));
}

export async function getCluster({ api }: ApiClient, clusterName: string): Promise<Schemas['Cluster']> {
  try {
    return await dataOf(api.GET('/cloudapi/1.0.0/clusters/{clusterName}', { params: { path: { clusterName } } }));
  } catch (error) {
    // The API does not distinguish an absent object from one that the user may not see.
    if (error instanceof Refusal && (error.status === 403 || error.status === 404))
      throw new CliFailure(
        `there is no cluster "${clusterName}", or you may not see it; only the provider sees clusters: "ssvirt cluster list".`,
        exitCodes.notFound,
      );
    throw error;
  }
}
